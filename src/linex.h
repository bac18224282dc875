/* linex.h: explains one prediction of any model by locally invariant explanations (LINEX).
 *
 * LINEX (Dhurandhar et al., NeurIPS 2023) asks a model about points near an input and splits the answered points into
 * k environments. Each environment is a player in a game. A player adds to a shared vector of coefficients what fits
 * its own points best, at most gamma per coefficient. At the equilibrium, a feature whose direction the players
 * dispute has coefficient zero. A feature that they agree on has a cautious value: with two players, the smaller one.
 *
 * The functions are listed in the order in which a program calls them:
 *
 *     data -> neighborhood -> (the caller asks the model) -> environments -> game -> explanation
 *
 * C never calls the model. The library makes the points, the caller gets the answers, the library explains them.
 *
 *     double statistics[2 * LINEX_COLUMN_SIZE];
 *     linex_column_describe(150, lengths, statistics);                        // mean, spread, quartiles of a column
 *     linex_column_describe(150, widths, statistics + LINEX_COLUMN_SIZE);
 *     const uint32_t levels[2] = {0, 0};                                      // both columns are numeric
 *     linex_table table = {2, levels, statistics, NULL};
 *
 *     linex_row_settings neighborhood = linex_row_defaults();
 *     linex_rows_perturb(&table, row, &neighborhood, 0, 1000, rows);          // 1,000 rows near this row
 *     for (size_t i = 0; i < 1000; i++) answers[i] = my_model(rows + 2 * i);
 *
 *     linex_rows_represent(&table, row, &neighborhood, 1000, rows, points);
 *     linex_proximity(1000, 2, points, points, 0.75 * sqrt(2), distances, proximity);
 *     linex_samples samples = {.count = 1000, .feature_count = 2, .points = points, .answers = answers,
 *                              .weights = proximity, .distances = distances, .planned = 1000, .block = 2};
 *     linex_settings settings = linex_defaults();
 *     linex_explanation explanation = {.weights = weights};                   // arrays left NULL are not filled
 *     linex_explain(&samples, points, &settings, &explanation);
 *
 * examples/c/explain_row.c is a complete program.
 *
 * These rules hold for every function:
 * - Arrays are row-major. The caller allocates and owns them. Shapes are given as "rows x columns" or as a length.
 * - Inputs are const and come first, outputs come last. Arrays must not overlap unless the comment allows it.
 * - A function that can fail returns a linex_status. LINEX_BAD_ARGUMENT means a missing array, a count of zero, a
 *   number out of its range, or one that is not finite. LINEX_OVERFLOW means that a result of finite inputs is not
 *   finite. Unless the comment says otherwise, the contents of the outputs are undefined after a failure.
 * - The library never prints, never exits and has no globals.
 * - The same inputs give the same bits on every platform. Randomness comes only from the seeds.
 */
#ifndef LINEX_H
#define LINEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "linex_data.h"

/* ---- neighborhood: rows near a row ---- */

typedef enum {
    LINEX_CENTER_ROW, /* normal around the row: the paper's choice */
    LINEX_CENTER_MEAN /* normal around the mean of the column: the default of LIME's library */
} linex_center;

typedef struct {
    linex_center center; /* default LINEX_CENTER_ROW */
    bool discretize;     /* represent numeric columns as "in the row's quartile or not", as LIME's library does;
                            default false */
    bool raw;            /* represent numeric columns in their own units, not in standard deviations; default false */
    uint64_t seed;       /* default 0 */
    linex_sampling sampling; /* default LINEX_DESIGNED */
} linex_row_settings;

linex_row_settings linex_row_defaults(void);

/* Makes samples first .. first + count - 1 of the row's neighborhood, in the units of the table. Sample 0 is the row
 * itself. Numeric columns vary by the spread of the column; a constant column keeps the row's value. Categorical
 * columns are drawn by the frequency of their levels. A sample depends only on its index, not on the batch.
 *
 * Designed samples 1, 2, .. are scrambled Sobol points: for every power of two, the first 2^k of them have one value of
 * each column in each interval of probability 2^-k. A column is then as even as possible, also a categorical one. With
 * LINEX_MIRRORED, or more than 53 numeric columns that vary, those come in mirrored orthogonal blocks instead: the
 * offsets of samples 2j + 1 and 2j + 2 are opposite, and a block of as many pairs as columns (64 above 128 columns) is
 * orthogonal.
 *
 * row   columns: finite, and in categorical columns the index of a level
 * rows  count x columns */
linex_status linex_rows_perturb(const linex_table *table, const double *row, const linex_row_settings *settings,
                                size_t first, size_t count, double *rows);

/* Merges identical rows, in the order of their first appearance.
 *
 * count     below 2^30
 * bytes     of one row
 * rows      count x bytes; on return the first *distinct rows are the distinct ones
 * point_of  count: for each original row, the index of its distinct row
 * After LINEX_NO_MEMORY the rows are unchanged. */
linex_status linex_rows_merge(size_t count, size_t bytes, void *rows, uint32_t *point_of, size_t *distinct);

/* Represents rows as the surrogate sees them. A numeric column becomes (value - mean) / spread, or the value itself
 * with `raw`, or 1 for "same quartile as the row" and 0 otherwise with `discretize`. A categorical column becomes 1
 * for "same level as the row" and 0 otherwise.
 *
 * rows    count x columns
 * points  count x columns */
linex_status linex_rows_represent(const linex_table *table, const double *row, const linex_row_settings *settings,
                                  size_t count, const double *rows, double *points);

/* Computes the Euclidean distance of each point to `at`, and LIME's weight sqrt(exp(-distance^2 / kernel^2)).
 *
 * points     count x feature_count, finite
 * at         feature_count, finite
 * kernel     kernel width, > 0
 * distances  count; a distance beyond DBL_MAX counts as DBL_MAX
 * weights    count */
linex_status linex_proximity(size_t count, size_t feature_count, const double *points, const double *at,
                             double kernel, double *distances, double *weights);

/* Computes the law of the points of linex_rows_perturb and linex_rows_represent under the weights of linex_proximity
 * around the row, for linex_law. With the kernel exp(-distance^2 / (2 kernel^2)), a normal column stays normal:
 *
 *     1 / spread^2 = 1 / unit^2 + 1 / kernel^2,    mean = spread^2 (center / unit^2 + here / kernel^2),
 *
 * where `here` is the row's own value. A binary column stays binary.
 *
 * kernel  kernel width, > 0
 * law     columns x LINEX_LAW_SIZE
 * LINEX_OVERFLOW if a number of the law is not finite. */
linex_status linex_rows_law(const linex_table *table, const double *row, const linex_row_settings *settings,
                            double kernel, double *law);

/* Adds squared errors of local ridge regressions at one validation row, summed over all outputs. errors[k] is for the
 * first k + 1 features of the order. MAPLE keeps the number of features with the smallest sum over its validation
 * rows.
 *
 * rows       count x table->columns: the training rows, in the units of the table
 * responses  count x outputs
 * weights    count: weights of the training rows, none negative, not all zero
 * row        columns: the validation row
 * response   outputs: its response
 * order      columns: every column once, the most important first
 * ridge      > 0, as scikit-learn's alpha
 * errors     columns, finite; added to
 * LINEX_DEGENERATE if rounding makes a regression singular. */
linex_status linex_maple_errors(const linex_table *table, size_t count, const double *rows, size_t outputs,
                                const double *responses, const double *weights, const double *row,
                                const double *response, const uint32_t *order, double ridge, double *errors);

/* linex_maple_errors as a task. The response and the errors stay in use; the other inputs are copied. */
linex_status linex_maple_start(const linex_table *table, size_t count, const double *rows, size_t outputs,
                               const double *responses, const double *weights, const double *row,
                               const double *response, const uint32_t *order, double ridge, double *errors,
                               linex_task **task);

/* ---- neighborhood: masks that keep or remove parts of a text or an image ---- */

/* A mask has one byte per part: 1 if the part is kept, 0 if it is removed. The parts are the features. */
typedef enum {
    LINEX_MASK_SIZES, /* the number of removed parts is uniform in 1 .. feature_count, then which ones: LIME's choice
                         for words */
    LINEX_MASK_COINS  /* each part is removed with probability 1/2: LIME's choice for superpixels */
} linex_mask_kind;

/* Draws samples first .. first + count - 1 of the neighborhood. Sample 0 keeps every part. A sample depends only on
 * its index.
 *
 * Designed LINEX_MASK_SIZES: scrambled Sobol points, one column for the number of removed parts and one per part. The
 * parts with the largest values are kept. With more than 52 parts, only the numbers of parts are designed.
 * Designed LINEX_MASK_COINS: rows of Hadamard matrices, each followed by its complement. With m the smallest power of two
 * above feature_count, samples 1 + 2 m k .. 2 m (k + 1) are a block. In a block each part is kept exactly half of the
 * time, and so is each combination of two or three parts its share of the time. Design coins only if you draw at least
 * two samples per part: fewer pairs say nothing about some directions.
 *
 * feature_count  below 2^30 for designed coins
 * masks          count x feature_count */
linex_status linex_masks_draw(linex_mask_kind kind, size_t feature_count, linex_sampling sampling, uint64_t seed,
                              size_t first, size_t count, uint8_t *masks);

/* Lists all 2^feature_count masks instead of drawing `samples` of them. Each mask is planned at least once, and about
 * as often as it would be drawn. The caller multiplies the weight of one copy by the mask's factor. Then the copies
 * of a mask count together exactly as often as the mask is expected among the samples. The full mask comes first, the
 * others in random order, so that the first few are a fair sample too.
 *
 * feature_count  at most 24
 * samples        > 0
 * planned        at least 2^feature_count; a larger number makes the factors more equal
 * masks          2^feature_count x feature_count
 * point_of       planned: for each planned sample, the index of its mask, ascending
 * factors        2^feature_count */
linex_status linex_masks_enumerate(linex_mask_kind kind, size_t feature_count, uint64_t seed, size_t samples,
                                   size_t planned, uint8_t *masks, uint32_t *point_of, double *factors);

typedef enum {
    LINEX_MASK_COSINE,   /* 1 - sqrt(share of the parts that are kept): LIME's choice */
    LINEX_MASK_EUCLIDEAN /* sqrt(number of the parts that are removed) */
} linex_mask_distance;

/* Computes the distance of each mask to the full mask, and LIME's weight sqrt(exp(-distance^2 / kernel^2)).
 *
 * masks      count x feature_count
 * scale      factor of the distance, > 0; LIME uses 100 for texts and 1 for images
 * kernel     kernel width, > 0
 * distances  count; a distance beyond DBL_MAX counts as DBL_MAX
 * weights    count */
linex_status linex_masks_weigh(size_t count, size_t feature_count, const uint8_t *masks, linex_mask_distance distance,
                               double scale, double kernel, double *distances, double *weights);

/* Computes the law of the masks of linex_masks_draw under the weights of linex_masks_weigh, for linex_law.
 *
 * sizes  feature_count + 1; adds up to 1 */
linex_status linex_masks_law(linex_mask_kind kind, size_t feature_count, linex_mask_distance distance, double scale,
                             double kernel, double *sizes);

/* ---- neighborhood: masked images in the layout of a model ---- */

typedef enum {
    LINEX_NCHW, /* one plane per channel */
    LINEX_NHWC  /* the channels of a pixel side by side */
} linex_layout;

typedef struct {
    linex_layout layout;
    bool bytes;                  /* unsigned bytes, rounded; otherwise floats */
    double scale;                /* for floats: (value * scale - mean) / spread */
    const double *mean, *spread; /* one per channel; read for floats only */
} linex_tensor;

/* Writes pixels first .. end - 1 of an image into a tensor.
 *
 * image  pixels x channels, values in 0 .. 255
 * end    at most `pixels`
 * out    pixels x channels floats or bytes, in the layout of the tensor */
linex_status linex_tensor_write(size_t pixels, size_t channels, const float *image, const linex_tensor *tensor,
                                size_t first, size_t end, void *out);

/* Finds the runs of equal labels that start at pixels first .. end - 1. Returns their number.
 *
 * labels  one per pixel of the image
 * runs    pairs of first pixel and label, one per run; NULL to count only */
size_t linex_runs_find(size_t first, size_t end, const uint32_t *labels, uint32_t *runs);

/* Composes one tensor per mask. A pixel comes from the shown tensor if its segment is kept, otherwise from the hidden
 * one. This only copies, because both inputs are already tensors.
 *
 * planes          channels for LINEX_NCHW, 1 for LINEX_NHWC
 * bytes           of one pixel in a plane
 * shown, hidden   planes x pixels x bytes
 * runs            run_count pairs from linex_runs_find, with labels below `segments`
 * masks           count x segments
 * tensors         count x planes x pixels x bytes */
linex_status linex_compose(size_t pixels, size_t planes, size_t bytes, const void *shown, const void *hidden,
                           size_t run_count, const uint32_t *runs, size_t segments, size_t count,
                           const uint8_t *masks, void *tensors);

/* ---- environments: the answered points, split among the players ---- */

/* Points as a fit sees them: doubles, or bytes if every value is 0 or 1. A long text has thousands of words; with one
 * byte per word its neighborhood fits into the memory of a page. */
typedef struct {
    size_t count, feature_count;
    const double *values; /* count x feature_count, or NULL */
    const uint8_t *masks; /* count x feature_count, or NULL */
} linex_points;

/* The position of each number in the law of a column. */
enum {
    LINEX_LAW_BINARY, /* 1 if the column is 0 or 1, 0 if it is normal */
    LINEX_LAW_MEAN,   /* under the kernel; of a binary column, the probability of 1 */
    LINEX_LAW_SPREAD, /* standard deviation under the kernel; 0 for a column that does not vary */
    LINEX_LAW_UNIT,   /* standard deviation without the kernel */
    LINEX_LAW_SIZE
};

/* The levels behind the columns that are 1 if a sample has the level of the row. */
typedef struct {
    const double *rows;        /* count x feature_count, as linex_rows_perturb makes them; numbers are not read */
    const double *row;         /* feature_count */
    const uint32_t *counts;    /* feature_count: as linex_table.levels */
    const double *frequencies; /* as linex_table.frequencies */
} linex_levels;

/* The law that the samples were drawn by, weighted by the kernel. Exactly one of `columns` and `sizes` is set. With it,
 * noise whose linear part is known can be taken out of the answers: see linex_settings.adjust. */
typedef struct {
    const double *columns; /* feature_count x LINEX_LAW_SIZE: the columns are independent; see linex_rows_law */
    const double *sizes;   /* feature_count + 1: the share of the masks that keep 0, 1, .. parts. All masks of a size
                              are equally likely; see linex_masks_law */
    const linex_levels *levels; /* of rows; NULL if they are not known */
} linex_law;

/* Answered points. A perturbation that was planned more than once is asked and stored once. */
typedef struct {
    size_t count, feature_count;
    const double *points;      /* count x feature_count; NULL if there are masks */
    const double *answers;     /* count */
    const double *weights;     /* count: the weight of one copy, none negative */
    const double *distances;   /* count; may be NULL except for LINEX_NEAR_FAR and LINEX_WIDTHS */
    size_t planned;            /* the number of planned samples, including copies */
    const uint32_t *point_of;  /* planned: the index of each planned sample's point; NULL if each was planned once */
    const double *own_weights; /* players x planned: the caller's environments; NULL except for LINEX_OWN */
    const uint8_t *masks;      /* count x feature_count: the points if all values are 0 or 1; otherwise NULL */
    size_t block;              /* > 0 if the planned samples are in the order in which they were drawn: this many
                                  consecutive ones, from sample 1 on, belong together, and halves do not split them;
                                  2 for pairs. 0 if the order means nothing */
    bool complete;        /* whether the points are all that there are, and their weights say how often each would
                                  be drawn (linex_masks_enumerate). More samples would change nothing, so halves are
                                  the whole, and intervals contain only the loss through the ridge */
    const linex_law *law; /* NULL if it is not known, and for points with weights that are not the kernel's */
    const struct linex_adjustment *adjustment; /* from linex_answers_adjust; NULL if linex_explain is to adjust the
                                                  answers itself */
} linex_samples;

typedef enum {
    LINEX_BOOTSTRAP, /* each player draws n of the n samples, with repetition: the paper's choice */
    LINEX_HALVES,   /* disjoint random parts, made of at most 32 runs of samples (2 per player if that is more). A run
                        has consecutive samples, in whole blocks if there are at least 8 such runs. If the order of the
                        samples means nothing, it has random ones */
    LINEX_NEAR_FAR, /* disjoint parts by distance */
    LINEX_WIDTHS,   /* all samples, under kernels of 1/k, 2/k, .., 1 times the kernel width */
    LINEX_CLUSTERS, /* disjoint parts by k-means */
    LINEX_SIDES,    /* 2 parts, on either side of a random plane through the input. In a feature that has no value
                        beyond that of the input (a mask has all parts there), the plane goes through the mean */
    LINEX_OWN       /* samples.own_weights */
} linex_environment_kind;

typedef struct {
    linex_environment_kind kind; /* default LINEX_HALVES */
    size_t players;              /* > 0, 2 for LINEX_SIDES; default 2 */
    bool anchored;    /* every environment contains sample 0, or its run or group if those are drawn; default false */
    double kernel;    /* kernel width, for LINEX_WIDTHS; > 0 */
    const double *at; /* feature_count: the input, for LINEX_SIDES; NULL for sample 0. linex_explain sets it */
} linex_environment_settings;

/* Computes the weights of the samples in each environment.
 *
 * draw     0 for the environments themselves. A higher number gives another draw: other random numbers for the random
 *          kinds, a bootstrap of the samples for the others
 * weights  players x count
 * An environment may have no weight (an empty cluster). It then prefers zero for every coefficient. An environment
 * with very little weight under a ridge does the same. */
linex_status linex_environments_draw(const linex_samples *samples, const linex_environment_settings *settings,
                                     uint64_t seed, uint64_t draw, double *weights);

/* ---- selection: the features that may get a weight ---- */

typedef enum {
    LINEX_SELECT_AUTO,    /* FORWARD for up to 6 features, HIGHEST for more, as LIME does */
    LINEX_SELECT_FORWARD, /* one by one, each time the feature that explains most of the remainder */
    LINEX_SELECT_HIGHEST, /* the largest |coefficient * value at the input| of a fit with all features */
    LINEX_SELECT_LASSO,   /* the features at the last corner of the lasso path that has at most `features` */
    LINEX_SELECT_NONE,    /* all features */
    LINEX_SELECT_LEADING /* all features are fitted, and those with the largest weights that are sure are listed, after
                             the fit. If the number of features is bounded and there are more than LINEX_MOST_PLAYING,
                             FORWARD first takes that many. linex_select chooses those that are fitted */
} linex_selection;

enum { LINEX_MOST_PLAYING = 128 };

/* Chooses features. A feature that does not vary is never chosen.
 *
 * answers       count
 * weights       count
 * centered      whether the fit has a free intercept
 * at            feature_count: the input
 * features      the largest number that may be chosen; 0 for all
 * chosen        feature_count; on return the first *chosen_count are the chosen features, ascending
 * chosen_count  0 after a failure other than LINEX_BAD_ARGUMENT
 * LINEX_DEGENERATE if the fit of LINEX_SELECT_HIGHEST is singular. */
linex_status linex_select(linex_selection selection, const linex_points *points, const double *answers,
                          const double *weights, bool centered, const double *at, size_t features, uint32_t *chosen,
                          size_t *chosen_count);

/* ---- surrogate: one fit, or a mean of several ---- */

typedef enum { LINEX_SMOOTH_MEAN, LINEX_SMOOTH_MEDIAN, LINEX_SMOOTH_MEDIAN_OF_MEANS } linex_smoothing;

/* Solves gram x = cross, the weighted ridge regression that LIME fits.
 *
 * gram          feature_count x feature_count, symmetric, finite
 * cross         feature_count, finite
 * coefficients  feature_count; may be cross itself
 * LINEX_DEGENERATE if the Gram matrix is singular. The coefficients are unchanged after any failure. */
linex_status linex_ridge_solve(size_t feature_count, const double *gram, const double *cross, double *coefficients);

/* Combines the fits of all players, feature by feature.
 *
 * fits      players x feature_count, finite
 * smoothed  feature_count */
linex_status linex_smooth(linex_smoothing smoothing, size_t players, size_t feature_count, const double *fits,
                          double *smoothed);

/* ---- game ---- */

/* Player i chooses w_i in [-gamma, gamma]^feature_count to minimize R_i(s) = 1/2 s'G_i s - b_i's, where s is the sum
 * of all w_i. Let theta_ic be the best value of s_c for player i if the other coordinates are fixed. Then s is an
 * equilibrium exactly if every s_c is the median of the 2k+1 numbers
 *
 *     theta_1c .. theta_kc,  -k gamma, -(k-2) gamma, .., k gamma.
 *
 * An l1 bound |s|_1 <= t is shared: all players pay the same price (multiplier) for it, so the result does not depend
 * on the order of the players. */

typedef enum {
    LINEX_SOLVER_AUTO,   /* sweeps, then the path if they do not settle; only sweeps for more than 256 features.
                            linex_explain solves wide fits without Gram matrices instead */
    LINEX_SOLVER_SWEEPS, /* sets one feature after the other to the rest point of its players; may stall */
    LINEX_SOLVER_PATH,   /* follows the path of equilibria that starts at s = 0; ends after finitely many corners */
    LINEX_SOLVER_BEST_RESPONSE /* the paper's Algorithm 1; may cycle */
} linex_solver;

/* Beyond a tenth, a player who would take back all of its weight could count as content. */
#define LINEX_MOST_TOLERANCE 0.1

typedef struct {
    double gamma;        /* > 0 and finite; no default */
    double l1;           /* > 0; default INFINITY, no bound */
    linex_solver solver; /* default LINEX_SOLVER_AUTO */
    double tolerance;    /* of the residual; > 0 and <= LINEX_MOST_TOLERANCE, default 1e-9 */
    size_t max_rounds;   /* sweeps, corners or rounds; default 0, the solver's own limit */
    double max_work;     /* AUTO and BEST_RESPONSE give up after about this many multiply-adds; >= 0. Default 0: no
                            limit but the rounds, and 1e10 for BEST_RESPONSE */
} linex_game_settings;

linex_game_settings linex_game_defaults(void);

typedef struct {
    bool converged;         /* residual <= tolerance, and |s|_1 is within the bound */
    size_t rounds;          /* sweeps, corners or rounds that were needed */
    double residual;        /* the largest move that any player would still make along any coordinate, or by which the
                          strategies are beyond gamma or do not add up to s; divided by gamma, or by the largest weight
                          that any player prefers or has if that is smaller */
    double multiplier;      /* the price of the l1 bound; 0 if the bound is not active */
    double median_residual; /* of wide games: the largest distance of s_c from the median of what the players ask for,
                               divided by gamma. It says more than the residual if the ridge is small; otherwise 0 */
} linex_game_report;

/* Returns the rest point of the players of one feature: the median above.
 *
 * targets  players: the theta_ic, sorted ascending */
double linex_rest_point(size_t players, const double *targets, double gamma);

/* Solves the game.
 *
 * grams       players x feature_count x feature_count: the G_i, each symmetric positive definite
 * targets     players x feature_count: the b_i
 * weights     feature_count: s
 * strategies  players x feature_count: the w_i, which add up to s
 * If the game does not converge within its rounds, the result is LINEX_OK with report->converged false, and the
 * outputs are the best solution that was found. LINEX_DEGENERATE if the diagonal of a Gram matrix is not positive,
 * LINEX_OVERFLOW if the weights or the multiplier are not finite. */
linex_status linex_game_solve(size_t players, size_t feature_count, const double *grams, const double *targets,
                              const linex_game_settings *settings, double *weights, double *strategies,
                              linex_game_report *report);

/* linex_game_solve as a task. The settings are copied; the arrays and the report stay in use. */
linex_status linex_game_start(size_t players, size_t feature_count, const double *grams, const double *targets,
                              const linex_game_settings *settings, double *weights, double *strategies,
                              linex_game_report *report, linex_task **task);

/* Computes the certificate of a solution: the residual of linex_game_report, only from G, b, s and its split, not
 * from a solver's intermediate results.
 *
 * multiplier  the price of the l1 bound, >= 0
 * weights     feature_count: s
 * strategies  players x feature_count: what each player adds to s
 * residual    one number; DBL_MAX if a move is not finite */
linex_status linex_game_residual(size_t players, size_t feature_count, const double *grams, const double *targets,
                                 double gamma, double multiplier, const double *weights, const double *strategies,
                                 double *residual);

/* Plays one round of Algorithm 1: each player in turn gives its best response to the others, in place.
 *
 * l1          > 0, may be INFINITY
 * strategies  players x feature_count; unchanged after a failure other than LINEX_OVERFLOW
 * moved       the longest distance that any player moved, in the Euclidean norm */
linex_status linex_game_round(size_t players, size_t feature_count, const double *grams, const double *targets,
                              double gamma, double l1, double *strategies, double *moved);

/* ---- shapley: what each part contributes ---- */

/* Draws the coalitions of KernelSHAP (Lundberg and Lee 2017). A coalition is a mask: the parts that are kept. The
 * Shapley values of the answers f are the weighted least-squares fit
 *
 *     minimize    sum over coalitions z of  k(z) (f(z) - f(none) - sum_c z_c phi_c)^2
 *     subject to  sum_c phi_c = f(all) - f(none),     k(z) = (d - 1) / (choose(d, |z|) |z| (d - |z|)),
 *
 * with d = feature_count. The fit is exact if all coalitions are answered, and an estimate otherwise.
 *
 * Coalition 0 keeps every part and coalition 1 none. They constrain the fit. The others come in pairs of a coalition of
 * size s <= d / 2 and its complement. There are P_s = choose(d, s) pairs of size s, or half as many if 2 s = d. The law:
 *
 * - Each size has its own random order of its P_s pairs; the pairs are taken in this order. So a pair is never drawn
 *   twice, and each pair is among the first m_s of its size with probability m_s / P_s.
 * - At first one pair of each size is drawn, the sizes in random order. Each further pair has the size with the largest
 *   c_s / (sqrt(s (d - s)) m_s) among those that have pairs left, where m_s are drawn already and c_s is 2, or 1 if
 *   2 s = d. So m_s depends on the number of pairs alone, and is in proportion to c_s / sqrt(s (d - s)), but at most P_s.
 *   This is the geometric mean of the kernel's mass on a size and its leverage in the fit (Musco and Witter 2025), which
 *   is the same for all sizes. It is the best choice if the residuals of the fit are as large for all sizes.
 * - If `samples` is below linex_coalitions_few, or if all 2^d coalitions fit, the pairs of size 1 are taken before the
 *   others. They alone determine the fit; a random choice of so few would determine it badly.
 *
 * linex_shapley_solve gives each drawn coalition the weight k(z) / (probability that it was drawn), from the numbers m_s
 * of the coalitions that are answered. For m_s > 0 of all sizes, the weight of a pair of size s is the kernel's mass on
 * the size divided by m_s. While the m_s of some sizes is 0, R of S sizes were drawn, each with probability R / S; the
 * weight is then the mass times S / R. Sizes of which all pairs are taken have probability 1 in any case.
 *
 * Coalition i depends on (feature_count, seed, i), and on whether size 1 comes first. So more coalitions can be drawn
 * later: the earlier ones stay the same, and the weights follow from the new numbers m_s.
 *
 * samples       how many coalitions there may be in the end; at least 2, below 2^30
 * first, count  which coalitions are drawn: even numbers; first + count is at most samples and at most 2^d
 * masks         count x feature_count */
linex_status linex_coalitions_draw(size_t feature_count, size_t samples, uint64_t seed, size_t first, size_t count,
                                   uint8_t *masks);

/* linex_coalitions_draw as a task. The masks stay in use. */
linex_status linex_coalitions_start(size_t feature_count, size_t samples, uint64_t seed, size_t first, size_t count,
                                    uint8_t *masks, linex_task **task);

/* Returns the number of coalitions below which values are rough and their errors are not reliable: 4 per part plus 2,
 * and at least 96, or all that there are. */
size_t linex_coalitions_few(size_t feature_count);

typedef enum {
    LINEX_LINK_IDENTITY,
    LINEX_LINK_LOGIT /* explains log(f / (1 - f)); answers must be in (0, 1) */
} linex_link;

typedef struct {
    double base;       /* the answer without any part, transformed by the link */
    double prediction; /* the base plus all values, transformed back */
    double fidelity;   /* weighted R^2 of the fit over the coalitions, after the link; 1 if there are only two */
    double quantile;  /* the 95 % interval of a value is the value +- quantile x error, by Student's t distribution */
    double effective; /* the effective number of coalitions: (sum of the weights)^2 / (sum of their squares) */
} linex_shapley_report;

/* Computes the Shapley values from answered coalitions.
 *
 * A value's squared error is the sum over the drawn pairs of
 *
 *     (1 - m_s / P_s) (w A^-1 x e)^2 / (1 - h)^min(4, h / mean h),
 *
 * where w is the weight of the pair, x its centered mask, e its residual, h its leverage and A the Gram matrix. The first
 * factor is 0 for sizes of which all pairs are taken. The divisor makes up for residuals that are too small because the
 * fit follows the pair (HC4 of Cribari-Neto 2004).
 *
 * count      even
 * masks      count x feature_count: the first `count` of linex_coalitions_draw, of any seed
 * answers    count
 * values     feature_count: phi; a value below 1e-14 of the largest distance of an answer from the base is rounding
 *            and becomes 0
 * errors     feature_count: the standard deviation of each value over other draws; 0 if all coalitions are answered
 * agreement  feature_count: |mean sign| over other draws, if they are normal around the value with this interval; 0.95
 *            if one end of the interval is 0
 * LINEX_DEGENERATE if the coalitions do not determine the values; fewer than 2 (feature_count - 1) in pairs never do.
 * LINEX_BAD_ARGUMENT also for an answer outside the range of the link, and for masks that are not pairs. */
linex_status linex_shapley_solve(size_t feature_count, size_t count, const uint8_t *masks, const double *answers,
                                 linex_link link, double *values, double *errors, double *agreement,
                                 linex_shapley_report *report);

/* linex_shapley_solve as a task. The arrays and the report stay in use. */
linex_status linex_shapley_start(size_t feature_count, size_t count, const uint8_t *masks, const double *answers,
                                 linex_link link, double *values, double *errors, double *agreement,
                                 linex_shapley_report *report, linex_task **task);

/* ---- explanation ---- */

typedef enum {
    LINEX_METHOD_LINEX,   /* the equilibrium of the environments */
    LINEX_METHOD_LIME,    /* one fit to all samples */
    LINEX_METHOD_SMOOTHED /* the environments' fits, combined by linex_smooth */
} linex_method;

typedef enum {
    LINEX_INTERCEPT_FREE,    /* every environment has its own, outside the game */
    LINEX_INTERCEPT_FEATURE, /* a constant feature that plays like the others, as in the paper's text */
    LINEX_INTERCEPT_NONE     /* no intercept: Algorithm 1 as printed */
} linex_intercept;

/* The automatic ridge is LINEX_NARROW_RIDGE, as in LIME. If the samples are complete, there is no noise that a ridge could
 * reduce, so with LINEX_ADJUST_AUTO it is LINEX_COMPLETE_RIDGE. A fit is wide if it has at least LINEX_WIDE_FEATURES features
 * and fewer than LINEX_WIDE_SAMPLES distinct samples per feature. Its ridge is LINEX_WIDE_RIDGE times the median over the features of
 * sum_j W_j (x_jc - mean_c)^2, because a wide game with a small ridge has several equilibria and a worse fit to other
 * samples. */
#define LINEX_RIDGE_AUTO (-1.0)
#define LINEX_NARROW_RIDGE 1.0
#define LINEX_COMPLETE_RIDGE 1e-6
#define LINEX_WIDE_RIDGE 0.1
enum { LINEX_WIDE_FEATURES = 32, LINEX_WIDE_SAMPLES = 4 };

typedef enum {
    LINEX_WEIGHT_FIT, /* the fit to all samples; the games decide which weights are sure */
    LINEX_WEIGHT_GAMES /* the mean of the games, which is cautious: smaller than the fit by about 0.8 standard errors */
} linex_weight;

typedef enum {
    LINEX_ADJUST_AUTO, /* where the law of the samples is known and it pays */
    LINEX_ADJUST_NONE
} linex_adjust;

typedef struct {
    linex_method method;       /* default LINEX_METHOD_LINEX */
    linex_smoothing smoothing; /* for LINEX_METHOD_SMOOTHED; default LINEX_SMOOTH_MEAN */
    linex_selection selection; /* default LINEX_SELECT_LEADING */
    size_t features;           /* the largest number of nonzero weights; default 0, all */
    linex_intercept intercept; /* default LINEX_INTERCEPT_FREE */
    double ridge;              /* as scikit-learn's alpha; >= 0, or LINEX_RIDGE_AUTO, the default */
    linex_environment_settings environments;
    linex_game_settings game; /* default gamma 0: the largest |coefficient| in the fits of the single environments */
    linex_weight weight; /* which weights are reported. LINEX_WEIGHT_FIT is for LINEX_HALVES and LINEX_SIDES without a
                                 gamma and an l1 bound; otherwise it is the same as LINEX_WEIGHT_GAMES. Default
                                 LINEX_WEIGHT_FIT; LINEX_WEIGHT_GAMES in the paper's preset */
    size_t games;        /* how many games are played, each with new environments; > 0, default 60 */
    double agreement;    /* above 0, a weight that is not sure becomes 0: its sign agrees less than this, its
                                 interval holds zero, or it is below a millionth of the largest. In [0, 1], default
                                 0.9. Above 0 it needs draws */
    size_t draws;        /* the number of draws for intervals and agreements; default 60, 0 for none */
    linex_adjust adjust; /* whether noise is taken out of the answers: control variates, whose linear part is known
                                 from samples.law, are fitted and subtracted. Only for a free intercept, at least 10
                                 samples, LIME, bootstraps, halves, and the intervals of sides; at most 256 features,
                                 and not for wide fits. Without a ridge from the caller, it also chooses the ridge of
                                 masks, from 1, 0.3 and 0.1. Default LINEX_ADJUST_AUTO; LINEX_ADJUST_NONE in the paper's
                                 preset */
    uint64_t seed;       /* default 0 */
} linex_settings;

typedef enum {
    LINEX_STEADY, /* the fit to all samples; weights that many games on halves are not sure of are silenced: the default */
    LINEX_PAPER, /* one game of two bootstraps, features chosen before the fit, nothing silenced: the paper's LINEX */
    LINEX_STRICT /* as LINEX_STEADY, but with LINEX_SIDES and agreement 1: what changes direction on any side of the input is silenced too */
} linex_preset_kind;

/* Returns the settings of a preset. For an unknown one they are all zero, and linex_explain refuses them. */
linex_settings linex_preset(linex_preset_kind preset);

/* The same as linex_preset(LINEX_STEADY). */
linex_settings linex_defaults(void);

typedef enum {
    LINEX_ADJUSTED_NONE,
    LINEX_ADJUSTED_BEND, /* smooth terms along the fitted direction and, for rows, steps of the leading columns */
    LINEX_ADJUSTED_KRIGING /* a Gaussian process, for rows with at most LINEX_MOST_KRIGED samples, and for masks of at most
                              LINEX_MOST_KRIGED_PARTS parts with two samples per part and at most
                              LINEX_MOST_FITTED_MASKS samples; LINEX_MOST_KRIGED_MASKS with at most 32 parts */
} linex_adjusted_kind;

enum {
    LINEX_MOST_KRIGED = 600,
    LINEX_MOST_FITTED_MASKS = 448, /* the process is fitted to at most this many */
    LINEX_MOST_KRIGED_MASKS = 1200,
    LINEX_MOST_KRIGED_PARTS = 128
};

/* How the answers were adjusted. */
typedef struct {
    linex_adjusted_kind kind;
    double gain; /* >= 1: the leave-one-out error of a linear fit divided by that with the control variates, about the
                    factor by which the variance of the weights falls */
} linex_adjusted;

/* The answers as the fits see them. */
typedef struct linex_adjustment {
    double *answers; /* count; owned by the caller */
    double ridge;    /* for the fits, instead of settings.ridge; may be LINEX_RIDGE_AUTO */
    linex_adjusted adjusted;
} linex_adjustment;

/* Takes noise out of the answers, as settings.adjust says. linex_explain does it too, unless it gets the result in
 * samples.adjustment: that is for callers who want the steps apart. Both ways give the same explanation.
 *
 * settings    those of linex_explain
 * adjustment  filled; without anything to adjust, the answers and the ridge are those given */
linex_status linex_answers_adjust(const linex_samples *samples, const linex_settings *settings,
                                  linex_adjustment *adjustment);

/* linex_answers_adjust as a task. The structs of samples, law and settings are copied; the arrays and the adjustment
 * stay in use. */
linex_status linex_answers_adjust_start(const linex_samples *samples, const linex_settings *settings,
                                        linex_adjustment *adjustment, linex_task **task);

/* How sure a weight is. With LINEX_HALVES and LINEX_SIDES, let b be the fit to all samples, e its standard error, and l
 * the loss through the ridge: the fit without a ridge, less b. The interval is b + l -+ t e, extended to contain the weight
 * (b -+ |l| if the samples are complete),
 * with the 97.5 % quantile t of Student's distribution with one degree of freedom less than there are runs of samples. The
 * error comes from what each run adds to the fit: see explain/run_errors.c. The agreement is the share of the draws whose
 * game has a weight with the sign of b and beyond the loss; for methods without a game, the weight that two environments
 * would agree on counts. The ridge is shared among the environments in proportion to their weight. With the other
 * environments, and if the sums over runs would take too much memory or the game is solved without Gram matrices, the
 * interval is the middle 95 % of the draws, extended by the loss, and the agreement is |mean of their signs|.
 *
 * The caller owns every array. An array that is NULL is not filled. */
typedef struct {
    double *weights; /* feature_count */
    double *raw; /* feature_count: the weights before some are set to 0, because they are not sure or not listed */
    uint8_t *silenced;  /* feature_count: 1 if the feature was fitted but its weight is not sure, see `agreement` */
    double *low, *high; /* feature_count: the interval of each weight */
    double *agreement;  /* feature_count; 1 without draws */
    double *strategies; /* players x feature_count: they add up to the mean of the games, which is raw for
                           LINEX_WEIGHT_GAMES; all zero for methods without a game */
    uint32_t *chosen;   /* feature_count; the first chosen_count are the listed features, ascending. If at most
                           `features` were fitted, all of them are listed, also those with weight 0 */
    uint32_t *fitted;   /* feature_count; the first fitted_count are the fitted features, ascending */
    double *grams;      /* players x size x size: the G_i of the first game. size is fitted_count, plus 1 for
                           LINEX_INTERCEPT_FEATURE. Unchanged if the answers do not vary or the method has no game */
    double *targets;    /* players x size: its b_i */
    size_t chosen_count, fitted_count;                   /* listed and fitted features */
    double intercept, fidelity, local_prediction, gamma; /* fidelity is the weighted R^2 over all samples */
    double effective_samples; /* (sum w)^2 / sum w^2: the number of equally weighted samples with as much
                                 information */
    double ridge_loss;        /* the largest loss of a weight through the ridge, divided by the largest weight; 0
                                 without draws */
    linex_game_report game;   /* for several games: all converged, the sum of rounds, the largest residuals, the mean
                                 multiplier */
    size_t unsettled;         /* games that did not converge, including those of the draws */
    size_t runs;              /* of the jackknife; 0 if the intervals do not come from it */
    double ridge;             /* the ridge that was used */
    linex_adjusted adjusted;
    double relative_ridge;  /* of wide fits: the ridge divided by the median energy of the features; otherwise 0 */
    double certified_ridge; /* of wide games that did not converge: the smallest ridge at which the first of them is
                                 known to converge; otherwise 0 */
} linex_explanation;

/* Explains answered samples.
 *
 * samples  planned >= 2
 * at       feature_count: the input, as a point
 * LINEX_DEGENERATE if a fit is singular, which a ridge prevents. LINEX_OVERFLOW if a result is not finite, because the
 * answers or points are too large. After a failure the contents of the arrays are undefined. */
linex_status linex_explain(const linex_samples *samples, const double *at, const linex_settings *settings,
                           linex_explanation *explanation);

/* linex_explain as a task. The structs of samples, law and settings are copied; the arrays, the adjustment and the
 * explanation stay in use. */
linex_status linex_explain_start(const linex_samples *samples, const double *at, const linex_settings *settings,
                                 linex_explanation *explanation, linex_task **task);

#endif
