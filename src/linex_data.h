/* linex_data.h: the first station of linex.h, which includes it: what can go wrong, and what neighborhoods are made
 * from: tables, densities, pictures and their superpixels, forests, word vectors. What linex.h says of arrays, of their
 * order and of failures holds here too.
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
    LINEX_DEGENERATE,   /* a system of equations is singular: points that do not vary, and no ridge */
    LINEX_NOT_CONVERGED /* the solver gave up before the game came to rest */
} linex_status;

/* One clause of English, never NULL. */
const char *linex_status_text(linex_status status);

/* ---- data: what is usual in a table ---- */

/* Where the statistics of a numeric column stand in their array. */
enum {
    LINEX_COLUMN_MEAN,
    LINEX_COLUMN_SPREAD, /* standard deviation, over n; 0 for a constant column */
    LINEX_COLUMN_MIN,
    LINEX_COLUMN_MAX,
    LINEX_COLUMN_QUARTILES, /* three, between order statistics by linear interpolation */
    LINEX_COLUMN_BINS = 7,  /* four bins between the quartiles, three numbers each: share, mean, spread */
    LINEX_COLUMN_SIZE = 19
};

/* values      count, finite
 * statistics  LINEX_COLUMN_SIZE */
linex_status linex_column_describe(size_t count, const double *values, double *statistics);

/* The share of each level of a categorical column.
 *
 * codes        count whole numbers in 0 .. levels-1
 * frequencies  levels */
linex_status linex_levels_describe(size_t count, const double *codes, size_t levels, double *frequencies);

typedef struct {
    size_t columns;
    const uint32_t *levels;    /* columns: how many levels, 0 for a numeric column */
    const double *statistics;  /* columns x LINEX_COLUMN_SIZE; not read for categorical columns */
    const double *frequencies; /* the levels' shares, one categorical column after the other; NULL without any */
} linex_table;

/* ---- data: how dense rows lie ---- */

/* A Gaussian kernel on every row:
 *     f(x) = mean over i of N(x; x_i, bandwidth^2 I).
 * Rows are numbers up to 1e100 in size, in units that make the columns comparable: standard deviations, say. */
typedef struct {
    size_t count, width;
    const double *points; /* count x width */
    double bandwidth;     /* in 1e-50 .. 1e50 */
} linex_density;

/* log f, wherever it is asked for: far from all rows too.
 *
 * at    queries x width
 * logs  queries */
linex_status linex_density_log(const linex_density *density, size_t queries, const double *at, double *logs);

/* Cross-validation: for each bandwidth, the sum of log f over some rows, each under the density of the rows that are
 * not in its fold. The best bandwidth has the largest sum.
 *
 * folds       count: the fold of each row; a fold a row is leave-one-out
 * rows        row_count, below count: which rows are asked about; not one of a fold that holds all rows
 * bandwidths  grid, each in 1e-50 .. 1e50
 * scores      grid; is added to, row by row, so that the sums are the same in however many calls */
linex_status linex_density_validate(size_t count, size_t width, const double *points, const uint32_t *folds,
                                    size_t row_count, const uint32_t *rows, size_t grid, const double *bandwidths,
                                    double *scores);

/* 0 .. count-1 in random order, every order equally likely: to deal rows into folds.
 *
 * order  count */
linex_status linex_order_draw(size_t count, uint64_t seed, uint32_t *order);

typedef enum {
    LINEX_NEAR_DENSITY, /* from f(z) exp(-|z - x|^2 / (2 radius^2)), exactly */
    LINEX_NEAR_ROWS     /* a row within the radius, each as likely, and its kernel's noise: MeLIME's way */
} linex_nearness;

typedef struct {
    linex_nearness nearness; /* default LINEX_NEAR_DENSITY */
    double radius;           /* default 1; for the density in 1e-50 .. 1e50 or INFINITY, for rows not negative */
    size_t least;            /* for rows: so many of the nearest count as within; > 0, default 10 */
    uint64_t seed;           /* default 0 */
} linex_density_settings;

linex_density_settings linex_density_defaults(void);

/* Samples first .. first + samples - 1 near a point. A sample depends on its index alone.
 *
 * at      width
 * apart   count, or NULL: what lies between each row and the point beside their numbers, squared; other levels, say.
 *         A sample takes these from its row
 * points  samples x width
 * owner   samples: the row that each came from */
linex_status linex_density_sample(const linex_density *density, const double *at, const double *apart,
                                  const linex_density_settings *settings, size_t first, size_t samples,
                                  double *points, uint32_t *owner);

/* Samples first .. first + samples - 1 of N(center, radius^2 I). A sample depends on its index alone.
 *
 * center  width
 * radius  in 0 .. 1e50
 * points  samples x width */
linex_status linex_cloud_draw(size_t width, const double *center, double radius, uint64_t seed, size_t first,
                              size_t samples, double *points);

/* ---- data: pictures ---- */

/* Row-major, channels side by side: gray, red-green-blue, or these and alpha, all in 0 .. 255. */
typedef struct {
    size_t width, height, channels; /* channels 1, 3 or 4 */
    const uint8_t *bytes;           /* or NULL */
    const float *floats;            /* or NULL */
} linex_image;

/* A picture in the size and with the channels that a model wants. It shrinks and grows under a triangle filter;
 * what is transparent lies on the background, or stays so where four channels are wanted.
 *
 * background  red, green, blue
 * out         width x height x channels */
linex_status linex_image_fit(const linex_image *picture, const double *background, size_t width, size_t height,
                             size_t channels, float *out);

/* Every segment in its mean color; where there is alpha, what is transparent does not count.
 *
 * picture   pixels x channels
 * labels    pixels, below `segments`
 * averaged  pixels x channels */
linex_status linex_image_average(size_t pixels, size_t channels, const float *picture, const uint32_t *labels,
                                 size_t segments, float *averaged);

/* Under a Gaussian of this many pixels, cut off at three of them; the edges are repeated. */
linex_status linex_image_blur(size_t width, size_t height, size_t channels, const float *picture, double sigma,
                              float *blurred);

/* ---- data: superpixels ---- */

/* A picture is cut into regions of like color, the features of its explanation.
 *
 * pixels    height x width x channels; one channel is gray, three are sRGB
 * labels    height x width: 0 .. segments-1 in the order in which a scan meets them; each is one region whose
 *           pixels are connected by their sides
 * segments  how many there came to be
 * LINEX_BAD_ARGUMENT also for a picture of 2^32 pixels or more. */

typedef struct {
    size_t segments;    /* about how many; > 0, default 50 */
    double compactness; /* how much nearness counts against color; > 0, default 10 */
    size_t rounds;      /* of k-means; > 0, default 10 */
    double sigma;       /* Gaussian blur beforehand, in pixels; >= 0, default 0 */
} linex_slic_settings;

linex_slic_settings linex_slic_defaults(void);

/* SLIC (Achanta et al. 2012): k-means from a grid of centers, by
 *     color^2 + (compactness / step)^2 * space^2,
 * color in Lab of the picture stretched to its full range, step the distance of the grid's centers. Fragments below
 * half the mean size join the neighbor that is most alike and shares most of their outline. Where a step is many
 * pixels, the rounds look at an even sample of them, and the last at all. */
linex_status linex_slic(size_t width, size_t height, size_t channels, const uint8_t *pixels,
                        const linex_slic_settings *settings, uint32_t *labels, size_t *segments);

typedef struct {
    double ratio;  /* how much color counts against nearness; > 0, default 0.2 */
    double kernel; /* width of the Gaussian that density is measured with, in pixels; > 0, default 4 */
    double reach;  /* links longer than this are cut, in pixels; > 0, default 200 */
    double sigma;  /* as above */
} linex_quickshift_settings;

/* LIME's. */
linex_quickshift_settings linex_quickshift_defaults(void);

/* Quick shift (Vedaldi and Soatto 2008): every pixel is linked to the nearest one of higher density within three
 * kernel widths, and each tree of links is a segment; nearness in (x, y, ratio * Lab). Of pixels of one density the
 * earlier in the scan is the higher, so that a flat area is one segment. Of a tree in several parts, the small ones
 * without its root join a neighbor as above.
 * Takes time in proportion to pixels * kernel^2. */
linex_status linex_quickshift(size_t width, size_t height, size_t channels, const uint8_t *pixels,
                              const linex_quickshift_settings *settings, uint32_t *labels, size_t *segments);

/* About that many cells, near to squares. */
linex_status linex_grid(size_t width, size_t height, size_t segments, uint32_t *labels, size_t *found);

/* ---- data: random forests ---- */

typedef struct {
    size_t classes;  /* responses are class numbers below this; 0, the default, for numbers (regression) */
    size_t outputs;  /* of regression: numbers a row; > 0, default 1 */
    size_t depth;    /* the most splits on a way from the root; 0, the default, for no limit */
    size_t min_leaf; /* the fewest rows in a leaf, a bootstrap's copies not counted; > 0, default 1 */
    size_t features; /* columns tried at a split; 0, the default, for all */
    bool bootstrap;  /* every tree sees its own draw of the rows, with repetition; default true */
    uint64_t seed;
} linex_forest_settings;

linex_forest_settings linex_forest_defaults(void);

/* Grown trees, one after the other, each in preorder: the left child of node i is node i + 1. */
typedef struct {
    size_t width, outputs; /* columns of a row; numbers of an answer */
    size_t trees, nodes, leaves;
    const uint32_t *roots;    /* trees */
    const uint32_t *features; /* nodes: the column that is looked at; LINEX_LEAF in a leaf */
    const double *thresholds; /* nodes: values up to this go left, larger ones and NaN go right */
    const uint32_t *rights;   /* nodes: the right child; in a leaf, its place in values */
    const double *gains;      /* nodes: how much impurity the split removes, times the share of rows it sees */
    const double *values;     /* leaves x outputs: the mean response, or the share of each class */
} linex_trees;

#define LINEX_LEAF UINT32_MAX

/* CART: every split is the one, over the columns tried and all places midway between two values, that leaves the least
 * variance (mean over the outputs) or Gini impurity. A missing value, NaN, counts as larger than all others. */
typedef struct linex_forest linex_forest;

/* rows       count x width, of numbers up to 1e100 or NaN; copied
 * responses  count x outputs of numbers up to 1e100, or count class numbers; copied
 * forest     without a tree yet; the caller's to free, and NULL after a failure */
linex_status linex_forest_new(size_t count, size_t width, const double *rows, const double *responses,
                              const linex_forest_settings *settings, linex_forest **forest);

/* Adds so many trees. Tree i is the same however many are grown at once. After LINEX_NO_MEMORY the forest has the
 * trees that it had before the one that failed. */
linex_status linex_forest_grow(linex_forest *forest, size_t trees);

/* A view, until the forest grows or is freed. */
linex_trees linex_forest_trees(const linex_forest *forest);

void linex_forest_free(linex_forest *forest);

/* Whether these are trees: for some that come from elsewhere. The functions below take it for granted. */
linex_status linex_trees_check(const linex_trees *trees);

/* The mean over the trees.
 *
 * answers  count x outputs */
linex_status linex_trees_predict(const linex_trees *trees, size_t count, const double *rows, double *answers);

/* The node at which each row ends in each tree, counted from the tree's root.
 *
 * leaves  trees x count */
linex_status linex_trees_apply(const linex_trees *trees, size_t count, const double *rows, uint32_t *leaves);

/* How much of the impurity each column removes: shares of one a tree, averaged over the trees that split at all.
 *
 * importances  width; all zero where no tree splits */
linex_status linex_trees_importances(const linex_trees *trees, double *importances);

/* MAPLE's scores of the columns (Plumb et al. 2018): what the first split of each tree removes, added up.
 *
 * scores  width */
linex_status linex_trees_root_scores(const linex_trees *trees, double *scores);

/* The rows of each tree by the leaf in which they end, those of one leaf ascending: what makes weighing quick.
 *
 * leaves  trees x count, from linex_trees_apply
 * sorted  trees x count */
linex_status linex_leaves_sort(size_t trees, size_t count, const uint32_t *leaves, uint32_t *sorted);

/* MAPLE's weights: the mean over the trees of 1 / (rows in the leaf) for the rows that share the input's leaf.
 *
 * at       trees: where the input ends
 * weights  count */
linex_status linex_leaves_weigh(size_t trees, size_t count, const uint32_t *leaves, const uint32_t *sorted,
                                const uint32_t *at, double *weights);

/* ---- data: words that are near to each other ---- */

/* Word vectors, in blocks, so that a file of unknown length can be read without ever moving what is there. */
typedef struct {
    size_t count, width;        /* words, and numbers a word; fewer than 2^32 - 1 words */
    size_t rows;                /* words a block; the last one may have fewer */
    const float *const *blocks; /* rows x width each, finite */
    const double *squares;      /* count, from linex_word_vectors_measure, which does not read them */
} linex_word_vectors;

/* The squared Euclidean length of each vector.
 *
 * squares  count */
linex_status linex_word_vectors_measure(const linex_word_vectors *vectors, double *squares);

/* The words that are nearest to each query by the cosine of the angle, nearest first; of two equally near the earlier in
 * the list. A vector of length zero has no angle: such a word is near to none, and such a query has none near.
 * Sums are taken in double precision.
 *
 * points   queries x width, finite
 * most     > 0: how many at most
 * words    queries x most: indices
 * cosines  queries x most
 * found    queries: how many there are */
linex_status linex_words_nearest(const linex_word_vectors *vectors, size_t queries, const float *points, size_t most,
                                 uint32_t *words, double *cosines, size_t *found);

#endif
