/* bend.c: fits terms and steps to the answers in two rounds, and separates their linear part. */
#include "adjust/bend.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "adjust/bend_terms.h"
#include "adjust/joint_fit.h"
#include "base/alloc.h"
#include "matrices/matrix.h"

/* More samples take time and hardly change the terms. The terms are taken out of all samples. */
enum { MOST_FITTED = 1025 };
enum { MOST_STEPPED = 10, RIDGES = 3, STEP_RIDGES = 3, PRODUCT_RIDGES = 3, PAIR_RIDGES = 3 };

/* A gain below this may be chance. */
static const double LEAST_GAIN = 1.02;
/* The penalties to choose from. */
static const double MASK_RIDGES[RIDGES] = {LINEX_NARROW_RIDGE, 0.3, 0.1};
static const double STEP_PENALTIES[STEP_RIDGES] = {20, 5, 1.5};
static const double PRODUCT_PENALTIES[PRODUCT_RIDGES] = {1, 3, 0.3};
/* Of the products of rows; the last one leaves nothing of them. */
static const double PAIR_PENALTIES[PAIR_RIDGES] = {1, 30, 1e12};
/* The penalty of the terms of rows, and that of masks relative to the ridge. */
static const double ROW_TERM_RIDGE = 1, MASK_TERM_RIDGE = 0.1;

struct linex_bend {
    const linex_points *points;
    linex_terms terms;
    linex_joint joint;
    double ridge;
    bool choose_ridge, bent;
    double *answers;   /* count: divided by `scale`, so that their squares are finite */
    double *control;   /* count */
    double *residuals; /* count */
    double *row;       /* features + terms: scratch */
    double *best_fit;  /* size: the coefficients of the best trial */
    double *linear;    /* features: the slopes of the control's linear part */
    double *point;     /* features: scratch */
    double *memory;    /* owns the arrays above */
    uint32_t *stepped; /* the columns with steps */
    double scale;
    double shift; /* added to the control: see prepare_control */
    linex_trial best;
    double lime_ridge;  /* the best ridge without terms */
    double base, error; /* the leave-one-out errors of LIME and of the best trial */
    size_t best_set;    /* of products, with the first penalty */
    double set_error;   /* its leave-one-out error; 0 if none was tried */
    linex_cursor cursor;
};

linex_bend *linex_bend_new(const linex_points *points, const linex_law *law, const double *weights,
                           const double *answers, double ridge)
{
    size_t count = points->count, features = points->feature_count;
    linex_bend *bend = calloc(1, sizeof *bend);
    if (!bend) return NULL;
    bend->points = points;
    bend->choose_ridge = ridge == LINEX_RIDGE_AUTO && law->sizes;
    bend->ridge = bend->lime_ridge = ridge == LINEX_RIDGE_AUTO ? LINEX_NARROW_RIDGE : ridge;
    linex_status status = linex_terms_open(&bend->terms, law, features);
    size_t most = bend->terms.normals < MOST_STEPPED ? bend->terms.normals : MOST_STEPPED;
    size_t fitted = count < MOST_FITTED ? count : MOST_FITTED;
    double size = (double)(features + LINEX_MOST_TERMS + most * LINEX_KNOTS);
    bend->memory = linex_alloc_doubles(3.0 * (double)count + 2.0 * (double)features + 2 * size);
    bend->stepped = linex_alloc_items(MOST_STEPPED, sizeof *bend->stepped);
    if (!status)
        status = linex_joint_open(&bend->joint, points, weights, bend->memory, fitted, linex_terms_most(&bend->terms),
                                  most);
    if (status || !bend->memory || !bend->stepped) {
        linex_bend_free(bend);
        return NULL;
    }
    bend->joint.free_terms = bend->terms.free;
    bend->joint.smooth_terms = bend->terms.columns ? bend->terms.smooth : bend->terms.free;
    bend->answers = bend->memory;
    bend->control = bend->answers + count;
    bend->residuals = bend->control + count;
    bend->linear = bend->residuals + count;
    bend->point = bend->linear + features;
    bend->row = bend->point + features;
    bend->best_fit = bend->row + features + LINEX_MOST_TERMS;
    for (size_t i = 0; i < count; i++) bend->scale = fmax(bend->scale, fabs(answers[i]));
    for (size_t i = 0; i < count && bend->scale > 0; i++) bend->answers[i] = answers[i] / bend->scale;
    return bend;
}

void linex_bend_free(linex_bend *bend)
{
    if (!bend) return;
    linex_terms_close(&bend->terms);
    linex_joint_close(&bend->joint);
    free(bend->memory);
    free(bend->stepped);
    free(bend);
}

static linex_status take_features(void *state, linex_cursor *at, linex_slice *slice)
{
    linex_bend *bend = state;
    (void)at;
    return linex_joint_features_advance(&bend->joint, slice);
}

/* Runs one trial, and keeps it if it is the best so far. */
static linex_status try_one(linex_bend *bend, const linex_trial *trial, linex_slice *slice)
{
    linex_joint *joint = &bend->joint;
    linex_status status = linex_joint_try_advance(joint, trial, slice);
    if (status == LINEX_UNFINISHED) return status;
    if (status || !isfinite(joint->error) || (bend->error > 0 && joint->error >= bend->error)) return status;
    bend->error = joint->error;
    bend->best = *trial;
    memcpy(bend->best_fit, joint->coefficients, linex_joint_size(joint, trial) * sizeof *bend->best_fit);
    memcpy(bend->residuals, joint->residuals, joint->count * sizeof *bend->residuals);
    return LINEX_OK;
}

/* LIME's own fit, for masks with each ridge. */
static linex_status try_lime(void *state, linex_cursor *at, linex_slice *slice)
{
    linex_bend *bend = state;
    for (; at->row < (bend->choose_ridge ? RIDGES : 1); at->row++) {
        linex_trial trial = {.ridge = bend->choose_ridge ? MASK_RIDGES[at->row] : bend->ridge};
        linex_status status = try_one(bend, &trial, slice);
        if (status) return status;
        if (at->row == 0) bend->base = bend->joint.error;
    }
    bend->lime_ridge = bend->best.ridge;
    return bend->base > 0 ? LINEX_OK : LINEX_DEGENERATE; /* a fit without error needs no terms */
}

/* Chooses the normal columns with the largest slopes, in spreads. */
static void choose_stepped(linex_bend *bend)
{
    const linex_column_law *laws = bend->terms.columns;
    double *sizes = bend->point;
    for (size_t c = 0; laws && c < bend->terms.features; c++)
        sizes[c] = laws[c].binary || !(laws[c].spread > 0) ? -1 : fabs(bend->best_fit[c]) * laws[c].spread;
    for (size_t j = 0; j < bend->joint.stepped; j++) {
        size_t best = 0;
        for (size_t c = 1; c < bend->terms.features; c++)
            if (sizes[c] > sizes[best]) best = c;
        sizes[best] = -1;
        bend->stepped[j] = (uint32_t)best;
    }
}

/* Finds how many knots are below each value of the columns with steps. Has no branch, because the processor could not
 * predict it. */
static linex_status find_levels(void *state, linex_cursor *at, linex_slice *slice)
{
    linex_bend *bend = state;
    size_t features = bend->terms.features, count = bend->points->count, stepped = bend->joint.stepped;
    if (at->row == 0) choose_stepped(bend);
    for (; at->row < stepped; at->row++) {
        const linex_column_law *law = bend->terms.columns + bend->stepped[at->row];
        const double *value = bend->points->values + bend->stepped[at->row];
        double cuts[LINEX_KNOTS];
        if (!linex_slice_take(slice, 4.0 * (double)count)) return LINEX_UNFINISHED;
        for (size_t k = 0; k < LINEX_KNOTS; k++) cuts[k] = law->mean + law->spread * linex_knots[k];
        for (size_t i = 0; i < count; i++, value += features) {
            int level = 0;
            for (size_t k = 0; k < LINEX_KNOTS; k++) level += *value > cuts[k];
            bend->joint.level[i * stepped + at->row] = (uint8_t)level;
        }
    }
    return LINEX_OK;
}

/* Adds the slopes of the terms and steps of a fit to `slopes`. */
static void add_slopes(const linex_bend *bend, const linex_trial *trial, const double *fit, double *slopes)
{
    const linex_terms *terms = &bend->terms;
    const double *step = fit + terms->features + trial->terms;
    for (size_t k = 0; k < trial->terms; k++)
        linex_add_scaled(terms->features, fit[terms->features + k], terms->slopes + k * terms->features, slopes);
    for (size_t j = 0; trial->steps && j < bend->joint.stepped; j++)
        for (size_t k = 0; k < LINEX_KNOTS; k++, step++)
            slopes[bend->stepped[j]] += *step * linex_knot_densities[k] / terms->columns[bend->stepped[j]].spread;
}

/* Aims the terms along the best fit so far. */
static linex_status aim_terms(void *state, linex_cursor *at, linex_slice *slice)
{
    linex_bend *bend = state;
    double *slopes = bend->linear;
    (void)at, (void)slice;
    memcpy(slopes, bend->best_fit, bend->terms.features * sizeof *slopes);
    add_slopes(bend, &bend->best, bend->best_fit, slopes);
    if (!linex_terms_aim(&bend->terms, slopes)) return LINEX_DEGENERATE;
    bend->joint.terms = bend->terms.count;
    return LINEX_OK;
}

/* Adds products to the terms. The slopes are those of aim_terms. */
static linex_status multiply_terms(void *state, linex_cursor *at, linex_slice *slice)
{
    linex_bend *bend = state;
    (void)at, (void)slice;
    linex_terms_multiply(&bend->terms, bend->linear);
    bend->joint.terms = bend->terms.count;
    bend->joint.free_terms = bend->terms.free;
    return LINEX_OK;
}

/* Computes the terms of the fitted samples. */
static linex_status fill_terms(void *state, linex_cursor *at, linex_slice *slice)
{
    linex_bend *bend = state;
    linex_joint *joint = &bend->joint;
    size_t features = bend->terms.features;
    for (; at->row < joint->count; at->row++) {
        size_t i = at->row;
        if (!linex_slice_take(slice, 4.0 * (double)features + 40 + (double)joint->terms)) return LINEX_UNFINISHED;
        const double *point = linex_points_row(bend->points, i, bend->point);
        linex_terms_fill(&bend->terms, i, point, joint->term + i * joint->stride);
    }
    return LINEX_OK;
}

static linex_status take_products(void *state, linex_cursor *at, linex_slice *slice)
{
    linex_bend *bend = state;
    (void)at;
    return linex_joint_products_advance(&bend->joint, slice);
}

static double mask_term_ridge(double ridge)
{
    return MASK_TERM_RIDGE * fmax(ridge, MASK_RIDGES[RIDGES - 1]);
}

/* The trials of the first round. */
static linex_trial trial_of(const linex_bend *bend, size_t index)
{
    if (bend->terms.columns)
        return (linex_trial){bend->terms.count, true, bend->ridge, ROW_TERM_RIDGE, STEP_PENALTIES[index], 0};
    double ridge = bend->choose_ridge ? MASK_RIDGES[index / 2] : bend->ridge;
    size_t degree = index % 2 ? LINEX_MASK_TERMS : LINEX_SQUARES;
    return (linex_trial){degree, false, ridge, mask_term_ridge(ridge), 0, 0};
}

static linex_status try_terms(void *state, linex_cursor *at, linex_slice *slice)
{
    linex_bend *bend = state;
    size_t trials = bend->terms.columns ? STEP_RIDGES : bend->choose_ridge ? 2 * RIDGES : 2;
    for (; at->row < trials; at->row++) {
        linex_trial trial = trial_of(bend, at->row);
        linex_status status = try_one(bend, &trial, slice);
        if (status) return status;
    }
    return bend->best.terms || !bend->terms.columns ? LINEX_OK : LINEX_DEGENERATE; /* masks may need only products */
}

/* The best trial again, along the direction that it found; for rows, with products. */
static linex_status try_again(void *state, linex_cursor *at, linex_slice *slice)
{
    linex_bend *bend = state;
    const bool rows = bend->terms.columns;
    if (at->row == 0) bend->error = 0; /* whatever it is, it replaces the first round */
    for (; at->row < (rows ? PAIR_RIDGES : 1); at->row++) {
        linex_trial trial = bend->best;
        if (rows) trial.terms = bend->terms.count;
        trial.pair_ridge = PAIR_PENALTIES[at->row];
        linex_status status = try_one(bend, &trial, slice);
        if (status) return status;
    }
    return LINEX_OK;
}

/* Tries products of parts: each set with the first penalty, then the best set with the others. */
static linex_status try_products(void *state, linex_cursor *at, linex_slice *slice)
{
    enum { TRIALS = LINEX_PRODUCT_SETS + PRODUCT_RIDGES - 1 };
    linex_bend *bend = state;
    const double ridge = bend->best.ridge;
    const size_t *sets = bend->terms.sets;
    const bool multiplied = !bend->terms.columns && bend->terms.count > LINEX_MASK_TERMS;
    for (; multiplied && at->row < TRIALS; at->row++) {
        bool first = at->row < LINEX_PRODUCT_SETS;
        size_t set = first ? at->row : bend->best_set, row = first ? 0 : at->row - LINEX_PRODUCT_SETS + 1;
        if (first && sets[set] == (set > 0 ? sets[set - 1] : LINEX_MASK_TERMS)) continue;
        const linex_trial trial = {sets[set], false, ridge, mask_term_ridge(ridge), PRODUCT_PENALTIES[row], 0};
        linex_status status = try_one(bend, &trial, slice);
        if (status) return status;
        double error = bend->joint.error;
        if (!first || (bend->set_error > 0 && !(error < bend->set_error))) continue;
        bend->set_error = error;
        bend->best_set = set;
    }
    bool any = bend->best.terms || bend->best.steps;
    bend->bent = any && bend->error > 0 && bend->base / bend->error >= LEAST_GAIN;
    return bend->bent ? LINEX_OK : LINEX_DEGENERATE;
}

/* Prepares the control: its slopes, and what is to be added because the joint fit subtracts the means of its samples
 * instead of those under the law. */
static void prepare_control(linex_bend *bend)
{
    linex_joint *joint = &bend->joint;
    const double *fit = bend->best_fit + joint->features;
    linex_joint_recall(joint, &bend->best, bend->best_fit);
    memset(bend->linear, 0, joint->features * sizeof *bend->linear);
    add_slopes(bend, &bend->best, bend->best_fit, bend->linear);
    bend->shift = 0;
    for (size_t k = 0; k < bend->best.terms; k++)
        bend->shift += fit[k] * (joint->term_mean[k] - bend->terms.constants[k]);
    fit += bend->best.terms;
    for (size_t k = 0; bend->best.steps && k < joint->stepped * LINEX_KNOTS; k++)
        bend->shift += fit[k] * (joint->step_mean[k] - linex_knot_shares[k % LINEX_KNOTS]);
}

/* The control at sample i: what the terms and steps explain, less its linear part. Fills in the residual of a sample
 * that was not fitted. */
static double control_of(linex_bend *bend, size_t i)
{
    linex_joint *joint = &bend->joint;
    size_t features = joint->features;
    double *row = bend->row, linear = 0, fitted = 0;
    const double *point = linex_points_row(bend->points, i, bend->point);
    linex_terms_fill(&bend->terms, i, point, row + features);
    for (size_t c = 0; c < features; c++) {
        row[c] = point[c] - joint->moments.mean[c];
        fitted += row[c] * bend->best_fit[c];
        linear += bend->linear[c] * (point[c] - bend->terms.origin[c]);
    }
    for (size_t k = 0; k < bend->best.terms; k++) row[features + k] -= joint->term_mean[k];
    double predicted = linex_joint_predict(joint, &bend->best, row, joint->level + i * joint->stepped);
    if (i >= joint->count) bend->residuals[i] = bend->answers[i] - joint->moments.answer_mean - predicted;
    bend->residuals[i] *= bend->scale;
    return predicted - fitted + bend->shift - linear;
}

static linex_status find_control(void *state, linex_cursor *at, linex_slice *slice)
{
    linex_bend *bend = state;
    if (at->row == 0) prepare_control(bend);
    for (; at->row < bend->points->count; at->row++) {
        if (!linex_slice_take(slice, 6.0 * (double)bend->terms.features + 100 + (double)bend->terms.count))
            return LINEX_UNFINISHED;
        bend->control[at->row] = bend->scale * control_of(bend, at->row);
        bend->bent = bend->bent && isfinite(bend->control[at->row]);
    }
    return LINEX_OK;
}

linex_status linex_bend_advance(linex_bend *bend, linex_slice *slice)
{
    static const linex_stage stages[] = {take_features, try_lime,  find_levels,  aim_terms,      fill_terms,
                                         take_products, try_terms, aim_terms,    multiply_terms, fill_terms,
                                         take_products, try_again, try_products, find_control};
    if (bend->terms.count == 0 || !(bend->scale > 0)) return LINEX_OK;
    linex_status status = linex_stages_advance(sizeof stages / sizeof *stages, stages, bend, &bend->cursor, slice);
    return status == LINEX_DEGENERATE ? LINEX_OK : status;
}

const double *linex_bend_control(const linex_bend *bend)
{
    return bend->bent ? bend->control : NULL;
}

const double *linex_bend_residuals(const linex_bend *bend)
{
    return bend->residuals;
}

double linex_bend_gain(const linex_bend *bend)
{
    return bend->bent ? bend->base / bend->error : 1;
}

double linex_bend_ridge(const linex_bend *bend)
{
    return bend->bent ? bend->best.ridge : bend->lime_ridge;
}

/* ---- as a control variate ---- */

/* With more features bending takes too long. */
enum { MOST_BENT = 256 };

typedef struct {
    linex_bend *bend;
    bool chooses_ridge;
    double ridge;
} bending;

/* The ridge of a wide fit is relative, so the terms of bend would be penalized too little. */
static bool suits(const linex_samples *samples)
{
    bool wide =
        samples->feature_count >= LINEX_WIDE_FEATURES && samples->count < LINEX_WIDE_SAMPLES * samples->feature_count;
    return !wide && samples->feature_count <= MOST_BENT;
}

static void close_bend(void *state)
{
    bending *job = state;
    linex_bend_free(job->bend);
    free(job);
}

static void *open_bend(const linex_samples *samples, const linex_points *points, const double *totals, double ridge)
{
    bending *job = calloc(1, sizeof *job);
    if (!job) return NULL;
    job->chooses_ridge = ridge == LINEX_RIDGE_AUTO && samples->masks;
    job->ridge = ridge;
    job->bend = linex_bend_new(points, samples->law, totals, samples->answers, ridge);
    if (job->bend) return job;
    close_bend(job);
    return NULL;
}

static linex_status advance_bend(void *state, linex_slice *slice)
{
    return linex_bend_advance(((bending *)state)->bend, slice);
}

static linex_control result_of(const void *state)
{
    const bending *job = state;
    return (linex_control){linex_bend_control(job->bend), linex_bend_residuals(job->bend), linex_bend_gain(job->bend),
                           job->chooses_ridge ? linex_bend_ridge(job->bend) : job->ridge, 0};
}

const linex_control_kind *linex_bend_control_kind(void)
{
    static const linex_control_kind kind = {LINEX_ADJUSTED_BEND, suits,     open_bend,
                                            advance_bend,        result_of, close_bend};
    return &kind;
}
