/* kriging.c: chooses the settings of kriging by leave-one-out errors, and computes the control variate. */
#include "kriging/kriging.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kriging/kriging_kernels.h"
#include "base/alloc.h"
#include "matrices/inverse_diagonal.h"
#include "matrices/factors.h"
#include "matrices/matrix.h"

/* The settings are chosen on at most this many samples, so that choosing takes about as long as the final fit. */
enum { MOST_TRIED = 192 };

/* Rows of the final matrix that are filled at once. */
enum { ROWS = 16 };

/* The variances of the constant and of a linear function. Both are so large that they hardly shrink anything. */
static const double CONSTANT = 100, LINEAR = 8;

/* Settings are indices into these grids. */
enum { STEPS, BELLS, LENGTH, NUGGET, GRIDS, VALUES = 4, CANDIDATES = VALUES * VALUES * VALUES * VALUES };
static const double GRID[GRIDS][VALUES] = {[STEPS] = {0, 2, 8, 32},
                                           [BELLS] = {0, 2, 8, 32},
                                           [LENGTH] = {0.5, 0.8, 1.3, 2.5},
                                           [NUGGET] = {0.01, 0.1, 0.4, 1.5}};

typedef struct {
    size_t index[GRIDS];
} settings;

struct linex_kriging {
    linex_kernel_points points;
    size_t count, tried;
    bool computable;  /* whether all numbers are within range and the answers vary */
    double scale;     /* the weighted standard deviation of the answers */
    double *standard; /* count: the answers in standard deviations from their mean */
    double *weights;  /* count */
    double *kernels;  /* 2 + VALUES matrices of tried x tried: products, steps, bells of each length */
    double *matrix;   /* count x count: the covariance, then its factor; of fewer samples while settings are tried */
    double *scratch;  /* for linex_inverse_diagonal_advance */
    double *diagonal; /* count: the diagonal of the inverse */
    double *solution; /* count: the inverse times the standardized answers */
    double *rows;     /* 3 x count: steps and bells of one sample, and how far levels are apart from its own */
    double *slopes;   /* columns: of the linear part */
    double *control, *residuals;
    double errors[CANDIDATES]; /* the error of each candidate that was tried, otherwise -1 */
    settings choice, off;      /* the best ones found so far; the best ones without steps and bells */
    double error, off_error;   /* their errors */
    double gain;
    linex_cursor at, inner;
};

static double value_of(const settings *all, size_t grid)
{
    return GRID[grid][all->index[grid]];
}

/* Standardizes the answers. Differences from the first answer are exactly zero if nothing varies. */
static bool standardize(linex_kriging *kriging, const double *answers)
{
    double *standard = kriging->standard, largest = 0, total = 0, mean = 0, square = 0;
    const double *weights = kriging->weights;
    for (size_t i = 0; i < kriging->count; i++) {
        largest = fmax(largest, fabs(answers[i] - answers[0]));
        total += weights[i];
    }
    if (!(largest > 0 && isfinite(largest) && total > 0 && isfinite(total))) return false;
    for (size_t i = 0; i < kriging->count; i++) {
        standard[i] = (answers[i] - answers[0]) / largest;
        mean += weights[i] / total * standard[i];
    }
    for (size_t i = 0; i < kriging->count; i++) {
        standard[i] -= mean;
        square += weights[i] / total * standard[i] * standard[i];
    }
    double spread = sqrt(square);
    for (size_t i = 0; i < kriging->count; i++) standard[i] /= spread;
    kriging->scale = spread * largest;
    return spread > 0 && linex_all_finite(kriging->count, standard);
}

/* The results if nothing can be computed. */
static void fill_plain_results(linex_kriging *kriging, const double *answers)
{
    double total = 0, sum = 0;
    for (size_t i = 0; i < kriging->count; i++) {
        total += kriging->weights[i];
        sum += kriging->weights[i] * (answers[i] - answers[0]);
    }
    for (size_t i = 0; i < kriging->count; i++) {
        double residual = answers[i] - answers[0] - (total > 0 ? sum / total : 0);
        kriging->residuals[i] = isfinite(residual) ? residual : 0;
    }
}

static bool allocate(linex_kriging *kriging)
{
    double count = (double)kriging->count, tried = (double)kriging->tried;
    kriging->standard = linex_alloc_doubles(9 * count);
    kriging->kernels = linex_alloc_doubles((2 + VALUES) * tried * tried);
    kriging->matrix = linex_alloc_doubles(count * count);
    kriging->scratch = linex_alloc_doubles(linex_inverse_diagonal_scratch(kriging->count));
    kriging->slopes = linex_alloc_doubles((double)kriging->points.columns);
    if (!kriging->standard || !kriging->kernels || !kriging->matrix || !kriging->scratch || !kriging->slopes)
        return false;
    double **const parts[] = {&kriging->weights, &kriging->diagonal,  &kriging->solution,
                              &kriging->control, &kriging->residuals, &kriging->rows};
    for (size_t p = 0; p < sizeof parts / sizeof *parts; p++)
        *parts[p] = kriging->standard + (p + 1) * kriging->count;
    return true;
}

static void forget_errors(linex_kriging *kriging)
{
    for (size_t c = 0; c < CANDIDATES; c++) kriging->errors[c] = -1;
}

linex_kriging *linex_kriging_new(size_t count, size_t feature_count, const double *points,
                                 const linex_column_law *laws, const linex_levels *levels, const double *weights,
                                 const double *answers)
{
    linex_kriging *kriging = linex_alloc_items(1, sizeof *kriging);
    if (!kriging) return NULL;
    *kriging = (linex_kriging){
        .count = count, .tried = count < MOST_TRIED ? count : MOST_TRIED, .choice = {{2, 2, 2, 2}}, .gain = 1};
    if (!linex_kernel_points_open(count, feature_count, points, laws, levels, &kriging->points) ||
        !allocate(kriging)) {
        linex_kriging_free(kriging);
        return NULL;
    }
    memcpy(kriging->weights, weights, count * sizeof *weights);
    forget_errors(kriging);
    fill_plain_results(kriging, answers);
    kriging->computable = standardize(kriging, answers) && linex_all_finite(count, kriging->points.squares);
    return kriging;
}

/* Writes one row of the covariance, up to its diagonal. */
static void fill_row(const linex_kriging *kriging, const settings *chosen, size_t row, const double *products,
                     const double *steps, const double *bells, double *to)
{
    double linear = LINEAR / (double)(kriging->points.columns ? kriging->points.columns : 1);
    double a = value_of(chosen, STEPS), f = value_of(chosen, BELLS);
    for (size_t i = 0; i <= row; i++) to[i] = CONSTANT + linear * products[i] + a * steps[i] + f * bells[i];
    to[row] += value_of(chosen, NUGGET);
}

/* Stages 0 and 3: the kernels of the samples on which settings are tried. */
static void fill_kernels(void *state, size_t row)
{
    linex_kriging *kriging = state;
    size_t tried = kriging->tried;
    double *products = kriging->kernels + row * tried, *apart = kriging->rows;
    linex_kernel_apart(&kriging->points, row, row + 1, apart);
    linex_kernel_products(&kriging->points, row, 1, row + 1, products, tried);
    linex_kernel_steps(&kriging->points, row, row + 1, apart, products + tried * tried);
    for (size_t l = 0; l < VALUES; l++)
        linex_kernel_bells(&kriging->points, row, row + 1, GRID[LENGTH][l], products, apart,
                           products + (2 + l) * tried * tried);
}

static linex_status kernels_advance(void *state, linex_cursor *at, linex_slice *slice)
{
    linex_kriging *kriging = state;
    double work = (double)kriging->tried * (2.0 * (double)kriging->points.columns + 100);
    return linex_steps_advance(kriging->tried, work, fill_kernels, state, at, slice);
}

/* Solves for the coefficients, once the matrix of the first `count` samples is factored. */
static void solve(linex_kriging *kriging, size_t count)
{
    memcpy(kriging->solution, kriging->standard, count * sizeof *kriging->solution);
    linex_cholesky_solve(count, kriging->matrix, kriging->solution);
}

/* Tries one candidate. The error is infinite if the matrix cannot be factored. */
static linex_status try_settings(linex_kriging *kriging, const settings *trial, double *error, linex_slice *slice)
{
    size_t tried = kriging->tried, cells = tried * tried;
    const double *products = kriging->kernels, *bells = products + (2 + trial->index[LENGTH]) * cells;
    if (kriging->inner.stage == 0 && kriging->inner.column == 0)
        for (size_t i = 0; i < tried; i++)
            fill_row(kriging, trial, i, products + i * tried, products + cells + i * tried, bells + i * tried,
                     kriging->matrix + i * tried);
    linex_status status = linex_inverse_diagonal_advance(tried, kriging->matrix, kriging->scratch, kriging->diagonal,
                                                         &kriging->inner, slice);
    if (status == LINEX_UNFINISHED) return status;
    *error = (double)INFINITY;
    if (status) return LINEX_OK;
    solve(kriging, tried);
    double sum = 0;
    for (size_t i = 0; i < tried; i++) {
        double residual = kriging->solution[i] / kriging->diagonal[i];
        sum += kriging->weights[i] * residual * residual;
    }
    if (isfinite(sum)) *error = sum;
    return LINEX_OK;
}

/* Returns the error of a candidate, and tries it at most once. Without bells, the length does not matter. */
static linex_status find_error(linex_kriging *kriging, settings trial, double *error, linex_slice *slice)
{
    if (trial.index[BELLS] == 0) trial.index[LENGTH] = 0;
    size_t place = 0;
    for (size_t grid = 0; grid < GRIDS; grid++) place = place * VALUES + trial.index[grid];
    if (kriging->errors[place] < 0) {
        double found;
        if (try_settings(kriging, &trial, &found, slice)) return LINEX_UNFINISHED;
        kriging->errors[place] = found;
    }
    *error = kriging->errors[place];
    return LINEX_OK;
}

/* Sets one of the settings to its best value; the first one if several are equally good. */
static linex_status improve(linex_kriging *kriging, size_t grid, settings *current, double *error, linex_slice *slice)
{
    settings trial = *current;
    *error = (double)INFINITY;
    current->index[grid] = 0;
    for (size_t v = 0; v < VALUES; v++) {
        double found;
        trial.index[grid] = v;
        if (find_error(kriging, trial, &found, slice)) return LINEX_UNFINISHED;
        if (found < *error) *error = found, current->index[grid] = v;
    }
    return LINEX_OK;
}

/* Improves one of the settings after the other. After a pause it starts again, and finds the errors of all candidates
 * that were tried before: that costs less than keeping its place would cost in code. */
static linex_status descend(linex_kriging *kriging, settings *current, double *error, linex_slice *slice)
{
    static const size_t ORDER[GRIDS] = {BELLS, STEPS, NUGGET, LENGTH};
    for (size_t round = 0; round < 3; round++) {
        settings last = *current;
        for (size_t g = 0; g < GRIDS; g++)
            if (improve(kriging, ORDER[g], current, error, slice)) return LINEX_UNFINISHED;
        if (memcmp(&last, current, sizeof last) == 0) break;
    }
    return LINEX_OK;
}

/* Stage 1: chooses settings for equal relevances. */
static linex_status first_choice_advance(void *state, linex_cursor *at, linex_slice *slice)
{
    (void)at;
    linex_kriging *kriging = state;
    settings off = {{0, 0, 0, 0}}, current = kriging->choice;
    double off_error, error;
    if (improve(kriging, NUGGET, &off, &off_error, slice)) return LINEX_UNFINISHED;
    if (descend(kriging, &current, &error, slice)) return LINEX_UNFINISHED;
    kriging->off = off, kriging->off_error = off_error;
    kriging->choice = current, kriging->error = error;
    kriging->computable = isfinite(off_error) && isfinite(error);
    return LINEX_OK;
}

static bool is_off(const settings *chosen)
{
    return chosen->index[STEPS] == 0 && chosen->index[BELLS] == 0;
}

/* Computes the linear part of the posterior mean, without the constant's own part. */
static linex_linear_part linear_part(linex_kriging *kriging, size_t count)
{
    const linex_kernel_points *points = &kriging->points;
    const settings *choice = &kriging->choice;
    size_t columns = points->columns;
    double linear = LINEAR / (double)(columns ? columns : 1);
    linex_linear_part part = {0, kriging->slopes};
    memset(part.slopes, 0, columns * sizeof *part.slopes);
    linex_kernel_add_step_part(points, count, value_of(choice, STEPS), kriging->solution, &part);
    linex_kernel_add_bell_part(points, count, value_of(choice, LENGTH), value_of(choice, BELLS), kriging->solution,
                               &part);
    for (size_t i = 0; i < count; i++)
        linex_add_scaled(columns, linear * kriging->solution[i], points->z + i * columns, part.slopes);
    return part;
}

/* Stage 2: sets the relevances. A column whose slope is steep is likely to matter in other ways too. No relevance is
 * below a fifth of the mean, because a column without slope may matter as well. */
static linex_status relevances_advance(void *state, linex_cursor *at, linex_slice *slice)
{
    (void)at;
    linex_kriging *kriging = state;
    size_t columns = kriging->points.columns;
    double error, sum = 0;
    if (columns == 0 || is_off(&kriging->choice)) return LINEX_OK;
    if (try_settings(kriging, &kriging->choice, &error, slice)) return LINEX_UNFINISHED;
    double *relevance = linear_part(kriging, kriging->tried).slopes;
    for (size_t c = 0; c < columns; c++) sum += relevance[c] = fabs(relevance[c]);
    for (size_t c = 0; c < columns; c++) relevance[c] = 0.2 + 0.8 * (double)columns * (relevance[c] / sum);
    if (!linex_all_finite(columns, relevance)) return LINEX_OK;
    linex_kernel_points_weigh(&kriging->points, relevance);
    forget_errors(kriging);
    return LINEX_OK;
}

/* Stage 4: chooses settings for these relevances. The better choice of the two remains; off if that is as good. */
static linex_status second_choice_advance(void *state, linex_cursor *at, linex_slice *slice)
{
    (void)at;
    linex_kriging *kriging = state;
    settings current = kriging->choice;
    double error = (double)INFINITY;
    if (!is_off(&current) && descend(kriging, &current, &error, slice)) return LINEX_UNFINISHED;
    if (error < kriging->error)
        kriging->choice = current, kriging->error = error;
    else
        linex_kernel_points_weigh(&kriging->points, NULL);
    if (kriging->error < kriging->off_error) {
        kriging->gain = kriging->off_error / kriging->error;
    } else {
        kriging->choice = kriging->off;
        linex_kernel_points_weigh(&kriging->points, NULL);
    }
    return LINEX_OK;
}

/* Stage 5: the covariance of all samples. at->row: the next row */
static linex_status matrix_advance(void *state, linex_cursor *at, linex_slice *slice)
{
    linex_kriging *kriging = state;
    const settings *choice = &kriging->choice;
    size_t count = kriging->count;
    double *steps = kriging->rows, *bells = steps + count, *apart = bells + count;
    for (; at->row < count; at->row += ROWS) {
        size_t rows = count - at->row < ROWS ? count - at->row : ROWS, end = at->row + rows;
        double work = (double)(rows * end) * ((double)kriging->points.columns + 30);
        if (!linex_slice_take(slice, work)) return LINEX_UNFINISHED;
        double *products = kriging->matrix + at->row * count;
        linex_kernel_products(&kriging->points, at->row, rows, end, products, count);
        for (size_t i = at->row; i < end; i++, products += count) {
            linex_kernel_apart(&kriging->points, i, i + 1, apart);
            linex_kernel_steps(&kriging->points, i, i + 1, apart, steps);
            if (choice->index[BELLS])
                linex_kernel_bells(&kriging->points, i, i + 1, value_of(choice, LENGTH), products, apart, bells);
            fill_row(kriging, choice, i, products, steps, bells, products);
        }
    }
    return LINEX_OK;
}

/* Stage 6 */
static linex_status factor_advance(void *state, linex_cursor *at, linex_slice *slice)
{
    (void)at;
    linex_kriging *kriging = state;
    linex_status status = linex_inverse_diagonal_advance(kriging->count, kriging->matrix, kriging->scratch,
                                                         kriging->diagonal, &kriging->inner, slice);
    if (status == LINEX_UNFINISHED) return status;
    if (status) kriging->computable = false;
    return LINEX_OK;
}

/* The covariance times the solution is the vector of answers. So m is what remains of an answer after the constant, the
 * linear function and the nugget, and the matrix, which is overwritten by now, is not needed. The linear function is
 * subtracted together with the linear part of m. */
static void fill_control(linex_kriging *kriging)
{
    const linex_kernel_points *points = &kriging->points;
    linex_linear_part part = linear_part(kriging, kriging->count);
    double nugget = value_of(&kriging->choice, NUGGET), total = 0;
    for (size_t i = 0; i < kriging->count; i++) total += kriging->solution[i];
    for (size_t i = 0; i < kriging->count; i++) {
        double left = kriging->standard[i] - nugget * kriging->solution[i] - CONSTANT * total - part.constant;
        left -= linex_dot(points->columns, part.slopes, points->z + i * points->columns);
        kriging->control[i] = kriging->scale * left;
    }
}

/* Stage 7: the residuals and the control variate. */
static linex_status results_advance(void *state, linex_cursor *at, linex_slice *slice)
{
    (void)at;
    linex_kriging *kriging = state;
    size_t count = kriging->count;
    if (!kriging->computable) return LINEX_OK;
    if (!linex_slice_take(slice, (double)count * (double)count)) return LINEX_UNFINISHED;
    solve(kriging, count);
    for (size_t i = 0; i < count; i++)
        kriging->rows[i] = kriging->scale * kriging->solution[i] / kriging->diagonal[i];
    if (kriging->gain > 1) fill_control(kriging);
    if (linex_all_finite(count, kriging->rows) && linex_all_finite(count, kriging->control))
        memcpy(kriging->residuals, kriging->rows, count * sizeof *kriging->residuals);
    else
        kriging->computable = false;
    return LINEX_OK;
}

linex_status linex_kriging_advance(linex_kriging *kriging, linex_slice *slice)
{
    static const linex_stage STAGES[] = {kernels_advance, first_choice_advance,  relevances_advance,
                                         kernels_advance, second_choice_advance, matrix_advance,
                                         factor_advance,  results_advance};
    enum { COUNT = sizeof STAGES / sizeof *STAGES };
    linex_status status = LINEX_OK;
    while (kriging->computable && !status && kriging->at.stage < COUNT) {
        status = STAGES[kriging->at.stage](kriging, &kriging->at, slice);
        if (!status) kriging->at = (linex_cursor){.stage = kriging->at.stage + 1};
    }
    if (status || kriging->computable) return status;
    kriging->gain = 1;
    kriging->choice = (settings){{0, 0, 0, 0}};
    memset(kriging->control, 0, kriging->count * sizeof *kriging->control);
    return LINEX_OK;
}

const double *linex_kriging_control(const linex_kriging *kriging)
{
    return kriging->control;
}

const double *linex_kriging_residuals(const linex_kriging *kriging)
{
    return kriging->residuals;
}

double linex_kriging_gain(const linex_kriging *kriging)
{
    return kriging->gain;
}

linex_kriging_settings linex_kriging_choice(const linex_kriging *kriging)
{
    const settings *choice = &kriging->choice;
    return (linex_kriging_settings){value_of(choice, STEPS), value_of(choice, BELLS), value_of(choice, LENGTH),
                                    value_of(choice, NUGGET)};
}

void linex_kriging_free(linex_kriging *kriging)
{
    if (!kriging) return;
    linex_kernel_points_close(&kriging->points);
    free(kriging->standard);
    free(kriging->kernels);
    free(kriging->matrix);
    free(kriging->scratch);
    free(kriging->slopes);
    free(kriging);
}

/* ---- as a control variate ---- */

typedef struct {
    linex_kriging *kriging;
    double ridge;
} kriged;

/* With more samples kriging takes too long. */
static bool suits(const linex_samples *samples)
{
    return samples->points && samples->count <= LINEX_MOST_KRIGED;
}

static void close_kriging(void *state)
{
    kriged *job = state;
    linex_kriging_free(job->kriging);
    free(job);
}

static void *open_kriging(const linex_samples *samples, const linex_points *points, const double *totals,
                          double ridge)
{
    size_t features = points->feature_count;
    kriged *job = calloc(1, sizeof *job);
    linex_column_law *laws = linex_alloc_items((double)features, sizeof *laws);
    if (job && laws) {
        for (size_t c = 0; c < features; c++) laws[c] = linex_law_column(samples->law, c);
        job->ridge = ridge;
        job->kriging = linex_kriging_new(points->count, features, samples->points, laws, samples->law->levels, totals,
                                         samples->answers);
    }
    free(laws);
    if (job && job->kriging) return job;
    free(job);
    return NULL;
}

static linex_status advance_kriging(void *state, linex_slice *slice)
{
    return linex_kriging_advance(((kriged *)state)->kriging, slice);
}

static linex_control result_of(const void *state)
{
    const kriged *job = state;
    double gain = linex_kriging_gain(job->kriging);
    return (linex_control){gain > 1 ? linex_kriging_control(job->kriging) : NULL,
                           linex_kriging_residuals(job->kriging), gain, job->ridge, 0};
}

const linex_control_kind *linex_kriging_control_kind(void)
{
    static const linex_control_kind kind = {LINEX_ADJUSTED_KRIGING, suits,     open_kriging,
                                            advance_kriging,        result_of, close_kriging};
    return &kind;
}
