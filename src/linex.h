/* linex.h: locally invariant explanations of one prediction of any model.
 *
 * LINEX (Dhurandhar et al., NeurIPS 2023) asks a model about points near an input and splits the answered
 * points into k environments. Each environment is a player: it adds to a shared vector of coefficients what
 * fits its own points best, at most gamma a coefficient. Where the players come to rest, a feature whose
 * direction they dispute has coefficient zero, and one that they agree on has the most careful of their
 * values.
 *
 * The functions stand in the order of the line
 *
 *     data -> neighborhood -> (the caller asks the model) -> environments -> game -> explanation
 *
 * and C never calls the model: it makes the points, the caller has them answered, it explains the answers.
 *
 *     double statistics[2 * LINEX_COLUMN_SIZE];
 *     linex_column_describe(150, lengths, statistics);                        // what is usual in the data
 *     linex_column_describe(150, widths, statistics + LINEX_COLUMN_SIZE);
 *     const uint32_t levels[2] = {0, 0};                                      // both columns are numeric
 *     linex_table table = {2, levels, statistics, NULL};
 *
 *     linex_row_settings how = linex_row_defaults();
 *     linex_rows_perturb(&table, row, &how, 0, 1000, rows);                   // 1,000 rows near this one
 *     for (size_t i = 0; i < 1000; i++) answers[i] = my_model(rows + 2 * i);
 *
 *     linex_rows_represent(&table, row, &how, 1000, rows, points);
 *     linex_proximity(1000, 2, points, points, 0.75 * sqrt(2), distances, weights);
 *     linex_samples samples = {1000, 2, points, answers, weights, distances, 1000, NULL, NULL, NULL};
 *     linex_settings settings = linex_defaults();
 *     linex_explanation explanation = {.weights = coefficients};              // what is left NULL is not given
 *     linex_explain(&samples, points, &settings, &explanation);
 *
 * Arrays are row-major doubles and belong to the caller; inputs are const and come first, outputs come last.
 * Nothing is printed, nothing exits, there are no globals. The same inputs give the same bits on every
 * platform. Whatever can fail returns a linex_status; unless said otherwise, outputs are then undefined.
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
    LINEX_CENTER_MEAN /* normal around the column's mean: the default of LIME's library */
} linex_center;

typedef struct {
    linex_center center; /* default LINEX_CENTER_ROW */
    bool discretize;     /* numeric columns become "in the row's quartile or not", as LIME's library does; false */
    bool raw;            /* points in the columns' own units, not in standard deviations; false */
    uint64_t seed;       /* 0 */
} linex_row_settings;

linex_row_settings linex_row_defaults(void);

/* Samples first .. first + count - 1 of the row's neighborhood, as the model wants them. Sample 0 is the
 * row. Numeric columns vary with the column's spread (a constant column stays as it is), categorical ones are
 * drawn by frequency. A sample depends on its index alone, not on the batch it is made in.
 *
 * row   columns
 * rows  count x columns */
linex_status linex_rows_perturb(const linex_table *table, const double *row, const linex_row_settings *settings,
                                size_t first, size_t count, double *rows);

/* Identical rows become one, in the order of their first appearance.
 *
 * rows      count rows of so many bytes on entry; on return the first *distinct are the distinct ones
 * owner     count: which of those each row has become
 * LINEX_NO_MEMORY leaves the rows as they were. */
linex_status linex_rows_merge(size_t count, size_t bytes, void *rows, uint32_t *owner, size_t *distinct);

/* Rows as the surrogate sees them: (value - mean) / spread for numeric columns (the value itself where
 * `raw`), 1 or 0 for "same level as the row" or "same quartile".
 *
 * points  count x columns */
linex_status linex_rows_represent(const linex_table *table, const double *row, const linex_row_settings *settings,
                                  size_t count, const double *rows, double *points);

/* Euclidean distance to a point, and LIME's weight sqrt(exp(-distance^2 / kernel^2)).
 *
 * points     count x width
 * distances  count
 * weights    count */
linex_status linex_proximity(size_t count, size_t width, const double *points, const double *at, double kernel,
                             double *distances, double *weights);

/* How far the local fits around one validation row are from its answer, by the number of features: adds to errors[k]
 * the squared error, over all outputs, of a ridge regression on the first k + 1 features of the order. MAPLE keeps as
 * many as make the sum over its validation rows least.
 *
 * rows       count x table->columns: the training rows, as linex_rows_represent wants them
 * responses  count x outputs
 * weights    count: of the rows, none negative, not all zero
 * row        the validation row
 * response   outputs
 * order      columns: every column once, the most important first
 * ridge      > 0, as scikit-learn's alpha
 * errors     columns */
linex_status linex_maple_errors(const linex_table *table, size_t count, const double *rows, size_t outputs,
                                const double *responses, const double *weights, const double *row,
                                const double *response, const uint32_t *order, double ridge, double *errors);

/* ---- neighborhood: parts of a text or a picture, there or not ---- */

/* A mask has a byte a part: 1 where the part is there, 0 where it is taken away. */
typedef enum {
    LINEX_MASK_SIZES, /* how many parts go is uniform in 1 .. width, then which: LIME's way with words */
    LINEX_MASK_COINS  /* every part goes with probability 1/2: LIME's way with superpixels */
} linex_mask_kind;

/* Samples first .. first + count - 1 of the neighborhood. Sample 0 has every part. A sample depends on its index
 * alone.
 *
 * masks  count x width */
linex_status linex_masks_draw(linex_mask_kind kind, size_t width, uint64_t seed, size_t first, size_t count,
                              uint8_t *masks);

/* Where there are few masks, all of them, in place of a draw of so many samples. Each is planned at least once, and
 * beyond that about as often as it would be drawn; times its factor, its copies count exactly as often as it is
 * expected among the samples. The full mask is the first, the others come in random order, so that the first few of
 * them are a fair sample too.
 *
 * width    at most 24
 * planned  at least 2^width; the more, the more alike the copies of all masks count
 * masks    2^width x width
 * owner    planned: which mask each planned sample is, ascending
 * factors  2^width: of the weight of one copy */
linex_status linex_masks_enumerate(linex_mask_kind kind, size_t width, uint64_t seed, size_t samples, size_t planned,
                                   uint8_t *masks, uint32_t *owner, double *factors);

typedef enum {
    LINEX_MASK_COSINE,   /* 1 - sqrt(share of the parts that are there): LIME's */
    LINEX_MASK_EUCLIDEAN /* sqrt(number of the parts that are not there) */
} linex_mask_distance;

/* Distance to the full mask, times a scale (LIME's is 100 for texts and 1 for pictures), and LIME's weight
 * sqrt(exp(-distance^2 / kernel^2)).
 *
 * distances  count
 * weights    count */
linex_status linex_masks_weigh(size_t count, size_t width, const uint8_t *masks, linex_mask_distance distance,
                               double scale, double kernel, double *distances, double *weights);

/* ---- neighborhood: masked pictures, as a model wants them ---- */

typedef enum {
    LINEX_NCHW, /* one plane a channel */
    LINEX_NHWC  /* channels side by side */
} linex_layout;

typedef struct {
    linex_layout layout;
    bool bytes;                  /* unsigned bytes, rounded; otherwise floats */
    double scale;                /* of floats: (value * scale - mean) / spread */
    const double *mean, *spread; /* a channel each; of floats only */
} linex_tensor;

/* picture  pixels x channels, values in 0 .. 255
 * out      pixels x channels floats or bytes, in the tensor's layout */
linex_status linex_tensor_write(size_t pixels, size_t channels, const float *picture, const linex_tensor *tensor,
                                void *out);

/* Where the label changes: pairs of first pixel and label. Returns how many there are; runs may be NULL, to count. */
size_t linex_runs_find(size_t pixels, const uint32_t *labels, uint32_t *runs);

/* One tensor a mask: from the shown picture where the pixel's segment is there, from the hidden one where it is not.
 * Both are tensors already, so that this is nothing but copying.
 *
 * planes          channels for LINEX_NCHW, 1 for LINEX_NHWC
 * bytes           of a pixel in a plane
 * shown, hidden   planes x pixels x bytes
 * runs            run_count pairs, with labels below `segments`
 * masks           count x segments
 * tensors         count x planes x pixels x bytes */
linex_status linex_compose(size_t pixels, size_t planes, size_t bytes, const void *shown, const void *hidden,
                           size_t run_count, const uint32_t *runs, size_t segments, size_t count,
                           const uint8_t *masks, void *tensors);

/* ---- environments: answered points, dealt to the players ---- */

/* Points as a fit sees them: doubles, or bytes where every value is 0 or 1. A long text has thousands of words; a
 * byte for each is what lets its neighborhood fit into a page. */
typedef struct {
    size_t count, width;
    const double *values; /* count x width, or NULL */
    const uint8_t *masks; /* count x width, or NULL */
} linex_points;

/* Answered points. Where a perturbation was planned more than once it is asked and stored once, and `owner`
 * says for each planned sample which point it is. */
typedef struct {
    size_t count, width;
    const double *points;    /* count x width; NULL where there are masks */
    const double *answers;   /* count */
    const double *weights;   /* count: the weight of one copy, none negative */
    const double *distances; /* count; may be NULL unless near-far or widths are asked for */
    size_t planned;          /* how many samples were planned, copies counted */
    const uint32_t *owner;   /* planned; NULL when every point was planned once */
    const double *own;       /* players x planned: the caller's environments; NULL unless asked for */
    const uint8_t *masks;    /* count x width: the points, where all are 0 or 1; else NULL */
} linex_samples;

typedef enum {
    LINEX_BOOTSTRAP, /* each draws as many samples as there are, with repetition: the paper's */
    LINEX_HALVES,    /* disjoint random parts */
    LINEX_NEAR_FAR,  /* disjoint parts by distance */
    LINEX_WIDTHS,    /* the same samples under kernel widths 1/k, 2/k, .., 1 of the kernel's */
    LINEX_CLUSTERS,  /* disjoint parts by k-means */
    LINEX_OWN        /* samples.own */
} linex_environment_kind;

typedef struct {
    linex_environment_kind kind; /* default LINEX_BOOTSTRAP */
    size_t players;              /* default 2 */
    bool anchored; /* sample 0 belongs to every environment, in draws of groups its group; default false */
    double kernel; /* kernel width, for LINEX_WIDTHS; > 0 */
} linex_environment_settings;

/* The weights of the samples in each environment.
 *
 * draw     0 for the environments themselves; a higher number for another draw of them: other random numbers for
 *          the random kinds, a bootstrap of the samples for the others
 * weights  players x count
 * An environment may come out without any weight (an empty cluster). Like one with next to none under a ridge, it
 * then wants every coefficient to be zero. */
linex_status linex_environments_draw(const linex_samples *samples, const linex_environment_settings *settings,
                                     uint64_t seed, uint64_t draw, double *weights);

/* ---- selection: which features may speak ---- */

typedef enum {
    LINEX_SELECT_AUTO,    /* forward up to 6 features, highest beyond, as LIME does */
    LINEX_SELECT_FORWARD, /* one by one, whichever explains most of what is left */
    LINEX_SELECT_HIGHEST, /* the largest |coefficient * value at the input| of a fit with all */
    LINEX_SELECT_LASSO,   /* the last corner of the lasso path with few enough */
    LINEX_SELECT_NONE     /* all of them */
} linex_selection;

/* answers   count
 * weights   count
 * at        width: the input
 * features  the most that may be chosen; 0 for all
 * chosen    width; on return its first *how_many are the chosen features, ascending
 * A feature that does not vary is never chosen. */
linex_status linex_select(linex_selection selection, const linex_points *points, const double *answers,
                          const double *weights, bool centered, const double *at, size_t features, uint32_t *chosen,
                          size_t *how_many);

/* ---- surrogate: one fit, or the mean of several ---- */

typedef enum { LINEX_SMOOTH_MEAN, LINEX_SMOOTH_MEDIAN, LINEX_SMOOTH_MEDIAN_OF_MEANS } linex_smoothing;

/* Solves gram x = cross: the weighted ridge regression that LIME fits.
 * LINEX_DEGENERATE when the Gram matrix is singular; the coefficients are then untouched. */
linex_status linex_ridge_solve(size_t width, const double *gram, const double *cross, double *coefficients);

/* fits      players x width
 * smoothed  width */
linex_status linex_smooth(linex_smoothing smoothing, size_t players, size_t width, const double *fits,
                          double *smoothed);

/* ---- game ---- */

/* Player i chooses w_i in [-gamma, gamma]^width to minimize R_i(s) = 1/2 s'G_i s - b_i's, where s is the sum
 * of all w_i. With theta_ic player i's own best value of s_c, the others held, s is an equilibrium exactly
 * when every s_c is the median of the 2k+1 numbers theta_1c .. theta_kc, -k gamma, -(k-2) gamma, .., k gamma.
 *
 * An l1 bound |s|_1 <= t is shared: all players pay the same price (multiplier) for it, so the outcome does
 * not depend on who moves first. */

typedef enum {
    LINEX_SOLVER_AUTO,   /* a few sweeps where there are many features, then the path; sweeps alone beyond 256 */
    LINEX_SOLVER_SWEEPS, /* features one by one to where their players rest; may stall */
    LINEX_SOLVER_PATH,   /* the path of equilibria from silence (path.h); ends after finitely many corners */
    LINEX_SOLVER_BEST_RESPONSE /* the paper's Algorithm 1 to the letter; may go round in circles */
} linex_solver;

typedef struct {
    double gamma;        /* > 0 and finite; no default */
    double l1;           /* > 0; default INFINITY, no bound */
    linex_solver solver; /* default LINEX_SOLVER_AUTO */
    double tolerance;    /* on the residual; default 1e-9 */
    size_t max_rounds;   /* sweeps, corners or rounds; 0 for the solver's own limit */
} linex_game_settings;

linex_game_settings linex_game_defaults(void);

typedef struct {
    bool converged;    /* residual <= tolerance, and the l1 bound is kept */
    size_t rounds;     /* how many it took */
    double residual;   /* the largest move any player would still make along any coordinate, over gamma, or over
                          the largest weight that any player wants where that is less */
    double multiplier; /* the price of the l1 bound; 0 when it does not bind */
} linex_game_report;

/* Where the players of one feature come to rest: the median above.
 *
 * targets  players, sorted ascending */
double linex_rest_point(size_t players, const double *targets, double gamma);

/* grams       players x width x width, symmetric positive definite each
 * targets     players x width: the b_i
 * weights     width: s
 * strategies  players x width: the w_i; they add up to s
 * A game that does not converge within its rounds is LINEX_OK with converged false. LINEX_DEGENERATE when a
 * Gram matrix has a zero on its diagonal. */
linex_status linex_game_solve(size_t players, size_t width, const double *grams, const double *targets,
                              const linex_game_settings *settings, double *weights, double *strategies,
                              linex_game_report *report);

/* The certificate, from G, b, s and its split alone: nothing is taken from a solver.
 *
 * weights     width: s
 * strategies  players x width: what each adds to it */
double linex_game_residual(size_t players, size_t width, const double *grams, const double *targets, double gamma,
                           double multiplier, const double *weights, const double *strategies);

/* One round of Algorithm 1: each player in turn answers the others as well as it can, in place.
 *
 * l1     may be INFINITY
 * moved  the longest way any player went, in the Euclidean norm */
linex_status linex_game_round(size_t players, size_t width, const double *grams, const double *targets, double gamma,
                              double l1, double *strategies, double *moved);

/* ---- shapley: what each part adds, alone and in company ---- */

typedef struct {
    size_t count; /* how many coalitions there are; fewer than the samples where few were left to draw */
    size_t taken; /* how many of them were not drawn: the first */
    size_t draws; /* of pairs, those counted that came again; 0 where all coalitions are taken */
} linex_coalitions;

/* KernelSHAP (Lundberg and Lee 2017). A coalition is a mask: the parts that are there. The Shapley values of the
 * answers are the weighted least-squares fit
 *
 *     minimize  sum over coalitions z of  k(z) (f(z) - f(none) - sum_c z_c phi_c)^2
 *     so that   sum_c phi_c = f(all) - f(none),     k(z) = (d - 1) / (choose(d, |z|) |z| (d - |z|)),
 *
 * exactly so where all coalitions are asked about, and near to it where some are.
 *
 * The plan: coalition 0 has every part, 1 has none; these bind the fit and have weight 0. The others come in pairs
 * of a coalition and what it lacks. All 2^width are taken where they fit. Where they do not, those of one part, and
 * of all but one, are taken if they fit, since they alone determine the fit; then larger sizes from the outside
 * inwards, as long as every coalition of the size would be drawn once or more. The rest of the kernel's mass is
 * shared by pairs that are drawn by it; one that is drawn again counts more and costs nothing.
 *
 * samples  at least 2; the most coalitions that there may be
 * masks    samples x width, or 2^width x width where that is less
 * weights  as many; k(z) up to a factor, 1 in all; all 0 where width is 1 */
linex_status linex_coalitions_plan(size_t width, size_t samples, uint64_t seed, uint8_t *masks, double *weights,
                                   linex_coalitions *coalitions);

typedef enum {
    LINEX_LINK_IDENTITY,
    LINEX_LINK_LOGIT /* log(f / (1 - f)) is shared out; answers in (0, 1) */
} linex_link;

typedef struct {
    double base;       /* the answer without any part; through the link, as the values are */
    double prediction; /* base and all values together, back through the link */
    double
        fidelity; /* weighted R^2 of the fit over the coalitions, through the link; 1 where there are none between */
} linex_shapley_report;

/* plan       where fewer are answered, its count is less, and draws in proportion
 * masks      count x width: all, none, and any others
 * answers    count
 * weights    count, none negative; the first two are not read
 * values     width: phi; what is below 1e-14 of the largest answer's distance from the base is rounding, and 0
 * errors     width: how much other draws would make of it, as a standard deviation; 0 where nothing is drawn
 * agreement  width: |mean of the signs| that other draws would give, were they normal around the values
 * LINEX_DEGENERATE when the coalitions do not determine the values, as fewer than 2 (width - 1) in pairs never do:
 * nothing is made up for want of them. LINEX_BAD_ARGUMENT for an answer that the link does not take. */
linex_status linex_shapley_solve(const linex_coalitions *plan, size_t width, const uint8_t *masks,
                                 const double *answers, const double *weights, linex_link link, double *values,
                                 double *errors, double *agreement, linex_shapley_report *report);

/* ---- explanation ---- */

typedef enum { LINEX_METHOD_LINEX, LINEX_METHOD_LIME, LINEX_METHOD_SMOOTHED } linex_method;

typedef enum {
    LINEX_INTERCEPT_FREE,    /* every environment has its own, for nothing */
    LINEX_INTERCEPT_FEATURE, /* a constant feature that plays like the others, as the paper's text has it */
    LINEX_INTERCEPT_NONE     /* Algorithm 1 as printed */
} linex_intercept;

typedef struct {
    linex_method method;
    linex_smoothing smoothing; /* of LINEX_METHOD_SMOOTHED */
    linex_selection selection;
    size_t features; /* the most that may be non-zero; 0 for all, the default */
    linex_intercept intercept;
    double ridge; /* as scikit-learn's alpha; default 1 */
    linex_environment_settings environments;
    linex_game_settings game; /* gamma 0, the default: the largest |coefficient| of any environment's own fit */
    size_t games;             /* the weights are the mean over this many draws of the environments; default 1 */
    double agreement;         /* signs that agree less than this are silenced, in [0, 1]; default 0, none */
    size_t draws;             /* how many draws intervals and agreements are taken from; default 200, 0 for none */
    uint64_t seed;
} linex_settings;

linex_settings linex_defaults(void);

/* Every array is the caller's or NULL, and then not filled. */
typedef struct {
    double *weights;    /* width */
    double *raw;        /* width: before silencing */
    double *low, *high; /* width: the middle 95 % over the draws and the weight itself, widened by what the ridge
                           takes away */
    double *agreement;  /* width: |mean of the signs| over the draws */
    double *strategies; /* players x width; all zero for methods without a game */
    uint32_t *chosen;   /* width; the first how_many are the features that were selected, ascending */
    double *grams;      /* players x size x size, the first game's; size is how_many, and one more where the
                           intercept plays; untouched where the answers do not vary or the method has no game */
    double *targets;    /* players x size: its b_i */
    size_t how_many;
    double intercept, fidelity, local_prediction, gamma;
    double effective_samples; /* (sum w)^2 / sum w^2: how many equally weighted samples these are worth */
    double ridge_loss;        /* the most that the ridge takes away from a weight, over the largest weight; 0 without
                                 draws */
    linex_game_report game;   /* of several games: all converged, rounds added, the largest residual */
} linex_explanation;

/* samples  planned >= 2
 * at       width: the input
 * After a failure the arrays hold nothing of use. */
linex_status linex_explain(const linex_samples *samples, const double *at, const linex_settings *settings,
                           linex_explanation *explanation);

#endif
