/* linex_data.h: status codes and the data that neighborhoods are made from: tables, densities, images and their
 * superpixels, forests, word vectors.
 *
 * linex.h includes this header. The rules in linex.h about arrays, argument order and failures apply here too.
 */
#ifndef LINEX_DATA_H
#define LINEX_DATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum {
    LINEX_OK = 0,
    LINEX_BAD_ARGUMENT,
    LINEX_NO_MEMORY,
    LINEX_DEGENERATE,    /* a system of equations is singular: the points do not vary and there is no ridge */
    LINEX_NOT_CONVERGED, /* the solver stopped before the game converged */
    LINEX_UNFINISHED,    /* a task has more work to do: run it again */
    LINEX_OVERFLOW       /* a result is beyond the range of double numbers */
} linex_status;

/* Returns one clause of English, never NULL. */
const char *linex_status_text(linex_status status);

/* ---- tasks: long computations in slices ---- */

/* A computation that can be interrupted. Functions named linex_..._start make one. It keeps the addresses of its
 * inputs and outputs, so these must stay valid until it is freed. The results do not depend on the slices. */
typedef struct linex_task linex_task;

/* Runs a task for a while.
 *
 * work  about how many multiply-adds to do before returning, > 0; a million takes about a millisecond. INFINITY runs
 *       the task to its end
 * Returns LINEX_UNFINISHED if there is more to do, otherwise how the task ended. The outputs are filled if that is
 * LINEX_OK. A task that has ended does nothing more and returns the same status again. */
linex_status linex_task_run(linex_task *task, double work);

/* Returns the share of the work that is done, in [0, 1]: an estimate that never falls. */
double linex_task_progress(const linex_task *task);

/* Frees a task, finished or not. NULL is fine. */
void linex_task_free(linex_task *task);

/* ---- data: statistics of a table ---- */

/* The position of each statistic of a numeric column in its array. */
enum {
    LINEX_COLUMN_MEAN,
    LINEX_COLUMN_SPREAD, /* standard deviation, divided by n, not n - 1; 0 for a constant column */
    LINEX_COLUMN_MIN,
    LINEX_COLUMN_MAX,
    LINEX_COLUMN_QUARTILES, /* three numbers, by linear interpolation between order statistics */
    LINEX_COLUMN_BINS = 7,  /* four bins between the quartiles, three numbers each: share, mean, spread */
    LINEX_COLUMN_SIZE = 19
};

/* Computes the statistics of a numeric column.
 *
 * values      count, finite
 * statistics  LINEX_COLUMN_SIZE */
linex_status linex_column_describe(size_t count, const double *values, double *statistics);

/* The most levels of a categorical column. */
#define LINEX_MAX_LEVELS ((uint32_t)1 << 24)

/* Computes the share of each level of a categorical column.
 *
 * codes        count whole numbers in 0 .. levels-1
 * levels       1 .. LINEX_MAX_LEVELS
 * frequencies  levels */
linex_status linex_levels_describe(size_t count, const double *codes, size_t levels, double *frequencies);

typedef struct {
    size_t columns;
    const uint32_t *levels;    /* columns: the number of levels of each, up to LINEX_MAX_LEVELS; 0 for a numeric
                                  column */
    const double *statistics;  /* columns x LINEX_COLUMN_SIZE: finite, no spread negative, shares in 0 .. 1; not read
                                  for categorical columns */
    const double *frequencies; /* the shares of the levels, each in 0 .. 1, one categorical column after the other;
                                  NULL if there is no categorical column */
} linex_table;

/* ---- samples: how random points are drawn ---- */

/* Each sample alone has the same distribution either way. */
typedef enum {
    LINEX_DESIGNED,   /* the samples are spread evenly, so fits on them vary less between seeds */
    LINEX_INDEPENDENT /* each sample is drawn by itself, as LIME does it */
} linex_sampling;

/* ---- data: the density of rows ---- */

/* A density with one Gaussian kernel per row:
 *     f(x) = mean over i of N(x; x_i, bandwidth^2 I).
 * The absolute values in the rows are at most 1e100. The units should make the columns comparable, for example
 * standard deviations. */
typedef struct {
    size_t count, columns;
    const double *points; /* count x columns */
    double bandwidth;     /* in 1e-50 .. 1e50 */
} linex_density;

/* Computes log f at each query. The result is finite even far from all rows.
 *
 * at    queries x columns
 * logs  queries */
linex_status linex_density_log(const linex_density *density, size_t queries, const double *at, double *logs);

/* Cross-validates bandwidths: for each bandwidth, adds up log f over some rows. f for a row is the density of the
 * rows that are not in its fold. The best bandwidth has the largest sum.
 *
 * folds       count: the fold of each row; one fold per row is leave-one-out
 * rows        row_count indices below count: the rows to sum over; none may be in a fold that holds all rows
 * bandwidths  bandwidth_count, each in 1e-50 .. 1e50
 * scores      bandwidth_count; each row's term is added to them, in order, so the sums are the same in one call or in
 *             several */
linex_status linex_density_validate(size_t count, size_t columns, const double *points, const uint32_t *folds,
                                    size_t row_count, const uint32_t *rows, size_t bandwidth_count,
                                    const double *bandwidths, double *scores);

/* Draws a random order of 0 .. count-1, for example to divide rows into folds. Every order is equally likely.
 *
 * order  count */
linex_status linex_order_draw(size_t count, uint64_t seed, uint32_t *order);

typedef enum {
    LINEX_NEAR_DENSITY, /* draw exactly from f(z) exp(-|z - x|^2 / (2 radius^2)) */
    LINEX_NEAR_ROWS /* draw a row within the radius, all equally likely, and add its kernel's noise, as MeLIME does */
} linex_nearness;

typedef struct {
    linex_nearness nearness; /* default LINEX_NEAR_DENSITY */
    double radius;           /* default 1; 1e-50 .. 1e50 or INFINITY for the density, >= 0 for rows */
    size_t min_rows;         /* for rows: at least this many of the nearest rows count as within the radius; > 0,
                                default 10 */
    uint64_t seed;           /* default 0 */
    linex_sampling sampling; /* default LINEX_DESIGNED: the rows and their noise are scrambled Sobol points */
} linex_density_settings;

linex_density_settings linex_density_defaults(void);

/* Draws samples first .. first + samples - 1 near a point. A sample depends only on its index.
 *
 * at             columns
 * extra_squares  count, or NULL: for each row, a squared distance to the point that is added to the distance of their
 *                numbers, for example for different levels. A sample takes the levels of its row
 * points         samples x columns
 * source_rows    samples: the row that each sample was drawn from */
linex_status linex_density_sample(const linex_density *density, const double *at, const double *extra_squares,
                                  const linex_density_settings *settings, size_t first, size_t samples,
                                  double *points, uint32_t *source_rows);

/* Draws samples first .. first + samples - 1 from N(center, radius^2 I). A sample depends only on its index. Designed
 * samples are those of linex_rows_perturb for numeric columns.
 *
 * center  columns
 * radius  in 0 .. 1e50
 * points  samples x columns */
linex_status linex_cloud_draw(size_t columns, const double *center, double radius, linex_sampling sampling,
                              uint64_t seed, size_t first, size_t samples, double *points);

/* ---- data: images ---- */

/* Row-major with interleaved channels: gray, RGB, or RGB and alpha. All values are in 0 .. 255. Exactly one of
 * `bytes` and `floats` is set. */
typedef struct {
    size_t width, height, channels; /* channels 1, 3 or 4 */
    const uint8_t *bytes;           /* or NULL */
    const float *floats;            /* or NULL */
} linex_image;

/* Converts an image to the size and channels that a model expects. It is resized with a triangle filter. Transparent
 * pixels are blended with the backdrop; if the result has four channels, they stay transparent.
 *
 * backdrop  red, green, blue
 * out       height x width x channels */
linex_status linex_image_fit(const linex_image *image, const double *backdrop, size_t width, size_t height,
                             size_t channels, float *out);

/* linex_image_fit as a task. The image's struct and the backdrop are copied. */
linex_status linex_image_fit_start(const linex_image *image, const double *backdrop, size_t width, size_t height,
                                   size_t channels, float *out, linex_task **task);

/* Fills each segment with its mean color. If there is an alpha channel, colors are weighted by alpha.
 *
 * image     pixels x channels
 * labels    pixels, below `segments`
 * averaged  pixels x channels */
linex_status linex_image_average(size_t pixels, size_t channels, const float *image, const uint32_t *labels,
                                 size_t segments, float *averaged);

/* linex_image_average as a task. */
linex_status linex_image_average_start(size_t pixels, size_t channels, const float *image, const uint32_t *labels,
                                       size_t segments, float *averaged, linex_task **task);

/* Blurs an image with a Gaussian that is cut off at three sigma. The edge pixels are repeated beyond the edges.
 *
 * image    height x width x channels
 * sigma    in pixels; > 0, at most 1000
 * blurred  height x width x channels */
linex_status linex_image_blur(size_t width, size_t height, size_t channels, const float *image, double sigma,
                              float *blurred);

/* linex_image_blur as a task. */
linex_status linex_image_blur_start(size_t width, size_t height, size_t channels, const float *image, double sigma,
                                    float *blurred, linex_task **task);

/* ---- data: superpixels ---- */

/* These functions divide an image into regions of similar color. The regions are the features of its explanation.
 *
 * pixels    height x width x channels; one channel is gray, three are sRGB
 * labels    height x width: 0 .. segments-1, numbered in scan order; each label is one region, whose pixels are
 *           connected by their sides
 * segments  the number of regions found
 * They also return LINEX_BAD_ARGUMENT for an image of 2^32 - 1 pixels or more. */

typedef struct {
    size_t segments;    /* approximate number of segments; > 0, default 50 */
    double compactness; /* weight of distance in space relative to color; > 0, default 10 */
    size_t rounds;      /* rounds of k-means; > 0, default 10 */
    double sigma;       /* of a Gaussian blur before the segmentation, in pixels; >= 0, default 0 */
} linex_slic_settings;

linex_slic_settings linex_slic_defaults(void);

/* SLIC (Achanta et al. 2012): k-means that starts from a grid of centers, with the squared distance
 *     color^2 + (compactness / step)^2 * space^2.
 * color is a distance in Lab, after the image is stretched to its full range. step is the distance between the grid's
 * centers. A fragment smaller than half the mean segment joins the neighbor with the most similar color and the
 * longest shared border. If a step is many pixels long, the rounds use a regular sample of the pixels; the last round
 * uses all pixels. */
linex_status linex_slic(size_t width, size_t height, size_t channels, const uint8_t *pixels,
                        const linex_slic_settings *settings, uint32_t *labels, size_t *segments);

/* linex_slic as a task. The settings are copied. */
linex_status linex_slic_start(size_t width, size_t height, size_t channels, const uint8_t *pixels,
                              const linex_slic_settings *settings, uint32_t *labels, size_t *segments,
                              linex_task **task);

typedef struct {
    double ratio;  /* weight of color relative to distance in space; > 0, default 0.2 */
    double kernel; /* width of the Gaussian that measures density, in pixels; > 0, default 4 */
    double reach;  /* links longer than this are cut, in pixels; > 0, default 200 */
    double sigma;  /* of a Gaussian blur before the segmentation, in pixels; >= 0, default 0 */
} linex_quickshift_settings;

/* Returns LIME's settings. */
linex_quickshift_settings linex_quickshift_defaults(void);

/* Quick shift (Vedaldi and Soatto 2008): each pixel is linked to the nearest pixel of higher density within three
 * kernel widths, and each tree of links is a segment. Distances are measured in (x, y, ratio * Lab). If two pixels
 * have the same density, the earlier one in the scan counts as denser, so a flat area is one segment. If a tree has
 * several connected parts, the small parts without its root join a neighbor, as in linex_slic. The time is
 * proportional to pixels * kernel^2. */
linex_status linex_quickshift(size_t width, size_t height, size_t channels, const uint8_t *pixels,
                              const linex_quickshift_settings *settings, uint32_t *labels, size_t *segments);

/* linex_quickshift as a task. The settings are copied. */
linex_status linex_quickshift_start(size_t width, size_t height, size_t channels, const uint8_t *pixels,
                                    const linex_quickshift_settings *settings, uint32_t *labels, size_t *segments,
                                    linex_task **task);

/* Divides an image into about `segments` cells that are nearly square.
 *
 * found  the number of cells */
linex_status linex_grid(size_t width, size_t height, size_t segments, uint32_t *labels, size_t *found);

/* linex_grid as a task. */
linex_status linex_grid_start(size_t width, size_t height, size_t segments, uint32_t *labels, size_t *found,
                              linex_task **task);

/* ---- data: random forests ---- */

typedef struct {
    size_t classes;  /* number of classes, if the responses are class numbers; default 0, which means regression */
    size_t outputs;  /* for regression: numbers per row; > 0, default 1 */
    size_t depth;    /* maximum number of splits between the root and a leaf; default 0, which means no limit */
    size_t min_leaf; /* minimum number of rows in a leaf, not counting the copies of a bootstrap; > 0, default 1 */
    size_t features; /* number of columns tried at each split; default 0, which means all */
    bool bootstrap;  /* each tree is grown on its own draw of the rows, with repetition; default true */
    uint64_t seed;   /* default 0 */
} linex_forest_settings;

linex_forest_settings linex_forest_defaults(void);

/* Trees, one after the other, each in preorder: the left child of node i is node i + 1. */
typedef struct {
    size_t columns, outputs; /* columns of a row; numbers per answer */
    size_t trees, nodes, leaves;
    const uint32_t *roots;    /* trees */
    const uint32_t *features; /* nodes: the column that the node splits; LINEX_LEAF for a leaf */
    const double *thresholds; /* nodes: values up to this go left, larger values and NaN go right */
    const uint32_t *rights;   /* nodes: the right child; for a leaf, its row in values */
    const double *gains;      /* nodes: the impurity that the split removes, times the share of rows in the node */
    const double *values;     /* leaves x outputs: the mean response, or the share of each class */
} linex_trees;

#define LINEX_LEAF UINT32_MAX

/* A forest grown by CART. Each split leaves the least variance (mean over the outputs) or Gini impurity, among the
 * columns tried and all midpoints between two adjacent values. A missing value, NaN, counts as larger than all other
 * values. */
typedef struct linex_forest linex_forest;

/* Makes a forest without trees.
 *
 * rows       count x columns, absolute values up to 1e100 or NaN; copied
 * responses  count x outputs with absolute values up to 1e100, or count class numbers; copied
 * forest     the caller frees it; NULL after a failure */
linex_status linex_forest_new(size_t count, size_t columns, const double *rows, const double *responses,
                              const linex_forest_settings *settings, linex_forest **forest);

/* linex_forest_new as a task. The settings are copied. The forest is NULL until the task has ended. */
linex_status linex_forest_start(size_t count, size_t columns, const double *rows, const double *responses,
                                const linex_forest_settings *settings, linex_forest **forest, linex_task **task);

/* Adds this many trees. Tree i does not depend on how many trees one call grows. After LINEX_NO_MEMORY the forest
 * keeps the trees that were complete before the failure. */
linex_status linex_forest_grow(linex_forest *forest, size_t trees);

/* linex_forest_grow as a task. Until it is freed, nothing else may use the forest. A task that is freed early leaves
 * the trees that were complete. */
linex_status linex_forest_grow_start(linex_forest *forest, size_t trees, linex_task **task);

/* Returns a view of the trees. It is valid until the forest grows or is freed. */
linex_trees linex_forest_trees(const linex_forest *forest);

/* Frees a forest. NULL is allowed. */
void linex_forest_free(linex_forest *forest);

/* Checks that the arrays describe trees, for trees that do not come from a forest. The functions below do not check
 * this. */
linex_status linex_trees_check(const linex_trees *trees);

/* Computes the mean answer of the trees for each row.
 *
 * answers  count x outputs */
linex_status linex_trees_predict(const linex_trees *trees, size_t count, const double *rows, double *answers);

/* Finds the leaf that each row reaches in each tree, as a node index relative to the tree's root.
 *
 * leaves  trees x count */
linex_status linex_trees_apply(const linex_trees *trees, size_t count, const double *rows, uint32_t *leaves);

/* Computes the share of the impurity that each column removes. The shares of a tree sum to 1. They are averaged over
 * the trees that have a split.
 *
 * importances  columns; all zero if no tree has a split */
linex_status linex_trees_importances(const linex_trees *trees, double *importances);

/* Computes MAPLE's scores of the columns (Plumb et al. 2018): the sum of the gains of the root splits by column.
 *
 * scores  columns */
linex_status linex_trees_root_scores(const linex_trees *trees, double *scores);

/* Sorts the rows of each tree by leaf, and the rows of each leaf in ascending order. linex_leaves_weigh uses this to
 * find the rows of a leaf quickly.
 *
 * leaves  trees x count, from linex_trees_apply
 * sorted  trees x count */
linex_status linex_leaves_sort(size_t trees, size_t count, const uint32_t *leaves, uint32_t *sorted);

/* Computes MAPLE's weights: the mean over the trees of 1 / (rows in the leaf) for the rows in the input's leaf.
 *
 * at       trees: the input's leaf in each tree
 * weights  count */
linex_status linex_leaves_weigh(size_t trees, size_t count, const uint32_t *leaves, const uint32_t *sorted,
                                const uint32_t *at, double *weights);

/* ---- data: similar words ---- */

/* Word vectors in blocks. With blocks, a file of unknown length can be read without moving the vectors that were
 * already read. */
typedef struct {
    size_t count, dimensions;   /* number of words, below 2^32 - 1; numbers per word */
    size_t words_per_block;     /* the last block may have fewer */
    const float *const *blocks; /* words_per_block x dimensions each, finite */
    const double *squares;      /* count, from linex_word_vectors_measure, which does not read them */
} linex_word_vectors;

/* Computes the squared Euclidean length of each vector.
 *
 * squares  count */
linex_status linex_word_vectors_measure(const linex_word_vectors *vectors, double *squares);

/* Finds the words nearest to each query by cosine similarity, nearest first. If two words are equally near, the
 * earlier word comes first. A vector of length zero has no angle: a word with such a vector is never found, and a
 * query with such a vector finds no words. Sums use double precision.
 *
 * points     queries x dimensions, finite
 * max_words  > 0: the maximum number of words per query
 * words      queries x max_words: indices
 * cosines    queries x max_words
 * found      queries: the number of words found */
linex_status linex_words_nearest(const linex_word_vectors *vectors, size_t queries, const float *points,
                                 size_t max_words, uint32_t *words, double *cosines, size_t *found);

/* linex_words_nearest as a task. The struct of the vectors is copied. */
linex_status linex_words_nearest_start(const linex_word_vectors *vectors, size_t queries, const float *points,
                                       size_t max_words, uint32_t *words, double *cosines, size_t *found,
                                       linex_task **task);

#endif
