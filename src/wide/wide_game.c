/* wide_game.c: solves games that have more features than samples, or nearly, without Gram matrices. */
#include "wide/wide_game.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/points.h"
#include "base/sort.h"
#include "matrices/products.h"
#include "game/certificate.h"
#include "game/game_allowance.h"
#include "wide/wide_fits.h"
#include "wide/wide_rung.h"
#include "wide/wide_sweeps.h"

enum { PREPARE, FITS, NEAR, TARGETS, RUNG, LAST_LOOK, SIZES, DONE };

struct linex_wide {
    linex_points points;
    const double *answers, *all_weights;
    double target; /* the ridge that is asked for */
    double gamma, tolerance;
    bool given_gamma;
    linex_wide_form form;
    linex_wide_rung rung;
    linex_wide_fit fit;
    linex_cursor at, inner;
    double limit, spent_on_fits;
    double *panel;
    double *weights;           /* feature_count */
    double *strategies;        /* players x feature_count */
    double *pulls, *diagonals; /* players x feature_count */
    double *prices;            /* 2 x players: zeros, and scratch */
    double *solution;          /* features: the best s at the target */
    double *numbers;           /* owns the arrays of doubles whose size is known at the start */
    double *more;              /* owns those that depend on how many features are kept */
    uint32_t *labels, *more_labels;
    linex_game_report report;
    double certified;
    double step;          /* of the ladder: the factor between two rungs */
    double ridge_done;    /* the smallest ridge solved on the ladder; 0 before the first */
    double *done_weights; /* features: its s */
};

/* The work of one fit of all samples, LIME's. */
static double fit_work(const linex_wide *wide)
{
    return linex_ridge_fit_work((double)wide->points.count, (double)wide->points.feature_count);
}

/* Below this total, an environment counts as having no weight: see linex_moments_take. */
static const double MIN_TOTAL = 1e-200;

/* Copies the samples that somebody sees. */
static void gather_samples(linex_wide *wide, size_t players)
{
    linex_wide_form *form = &wide->form;
    size_t count = wide->points.count, samples = 0;
    for (size_t i = 0; i < players; i++) {
        for (size_t j = 0; j < count; j++) form->totals[i] += wide->all_weights[i * count + j];
        if (!(form->totals[i] > MIN_TOTAL)) form->totals[i] = 0;
    }
    for (size_t j = 0; j < count; j++) {
        bool seen = false;
        for (size_t i = 0; i < players; i++)
            seen = seen || (form->totals[i] > 0 && wide->all_weights[i * count + j] > 0);
        if (seen) form->seen[samples++] = (uint32_t)j;
    }
    form->samples = samples;
    for (size_t j = 0; j < samples; j++) {
        form->answers[j] = wide->answers[form->seen[j]];
        for (size_t i = 0; i < players; i++)
            form->weights[i * samples + j] = form->totals[i] > 0 ? wide->all_weights[i * count + form->seen[j]] : 0;
    }
}

/* Allocates the arrays whose size is known before the columns are read. */
static bool allocate_first(linex_wide *wide, size_t players)
{
    double count = (double)wide->points.count, features = (double)wide->points.feature_count, k = (double)players;
    double large = fmax(count, features), pairs = k * features;
    wide->numbers = linex_alloc_doubles(count * features + 2 * large * LINEX_CHUNK + 9 * pairs + 4 * k +
                                        (2 * k + 3) * count + features + large + 4 * k);
    wide->labels = linex_alloc_items(features + 2 * count + k, sizeof *wide->labels);
    if (!wide->numbers || !wide->labels) return false;
    linex_wide_form *form = &wide->form;
    size_t n = wide->points.count, d = wide->points.feature_count;
    double *next = wide->numbers;
    form->columns = next, next += n * d;
    wide->panel = next, next += 2 * (n > d ? n : d) * LINEX_CHUNK;
    double **pairs_of[] = {&form->means, &form->energies, &wide->strategies, &wide->pulls, &wide->diagonals};
    for (size_t q = 0; q < sizeof pairs_of / sizeof *pairs_of; q++, next += players * d) *pairs_of[q] = next;
    form->forces = next, next += players * (d > LINEX_WIDE_BLOCK ? d : LINEX_WIDE_BLOCK);
    form->weights = next, next += players * n;
    form->pushes = next, next += players * n;
    form->answers = next, next += n;
    form->left = next, next += n;
    form->totals = next, next += players;
    form->asks = next, next += players;
    wide->prices = next, next += 2 * players;
    wide->weights = next, next += d;
    wide->fit.vector = next;
    form->kept = wide->labels;
    form->seen = form->kept + d;
    form->order = form->seen + n;
    wide->fit.where = form->order + players;
    return true;
}

linex_wide *linex_wide_new(const linex_points *points, const double *answers, size_t players, const double *weights,
                           bool centered, double ridge, double gamma, double tolerance)
{
    linex_wide *wide = calloc(1, sizeof *wide);
    if (!wide) return NULL;
    *wide = (linex_wide){.points = *points,
                         .answers = answers,
                         .all_weights = weights,
                         .target = ridge,
                         .gamma = gamma,
                         .given_gamma = gamma > 0,
                         .tolerance = tolerance,
                         .form = {.players = players, .centered = centered, .ridge = ridge}};
    if (!allocate_first(wide, players)) {
        linex_wide_free(wide);
        return NULL;
    }
    wide->limit = linex_game_allowance(points->count, points->feature_count, 0);
    gather_samples(wide, players);
    return wide;
}

void linex_wide_free(linex_wide *wide)
{
    if (!wide) return;
    linex_wide_system_close(&wide->rung.system);
    linex_wide_path_close(&wide->rung.path);
    free(wide->fit.matrix);
    free(wide->numbers);
    free(wide->more);
    free(wide->labels);
    free(wide->more_labels);
    free(wide);
}

/* Allocates the arrays that depend on how many features are kept. */
static linex_status allocate_more(linex_wide *wide)
{
    linex_wide_rung *rung = &wide->rung;
    size_t features = wide->form.features, players = wide->form.players;
    double d = (double)features, small = fmin(d, (double)wide->form.samples);
    wide->more = linex_alloc_doubles((double)(players * LINEX_WIDE_BLOCK) * d + 9 * d);
    wide->more_labels = linex_alloc_items(3 * d, sizeof *wide->more_labels);
    wide->fit.matrix = linex_alloc_doubles(small * small);
    if (!wide->more || !wide->more_labels || !wide->fit.matrix) return LINEX_NO_MEMORY;
    double *next = wide->more, **parts[] = {&rung->weights,        &rung->medians,     &rung->best_weights,
                                            &rung->newton.weights, &rung->newton.full, &rung->newton.trial,
                                            &rung->newton.medians, &wide->solution,    &wide->done_weights};
    for (size_t q = 0; q < sizeof parts / sizeof *parts; q++, next += features) *parts[q] = next;
    rung->near = next;
    rung->pieces = wide->more_labels;
    rung->newton.pieces = rung->pieces + features;
    rung->newton.tried = rung->newton.pieces + features;
    for (size_t c = 0; c < features; c++) rung->pieces[c] = UINT32_MAX;
    wide->fit.panel = wide->panel;
    return linex_wide_system_open(&wide->form, wide->panel, &rung->system);
}

/* Fits every environment, or all samples together if gamma is given. Their mean is the first s. */
static linex_status take_fits(linex_wide *wide, linex_slice *slice)
{
    linex_wide_form *form = &wide->form;
    size_t features = form->features, fits = wide->given_gamma ? 1 : form->players;
    double *fitted = wide->rung.medians;
    for (; wide->at.row < fits; wide->at.row++) {
        const double *from = form->weights + wide->at.row * form->samples;
        if (wide->given_gamma) {
            memcpy(form->pushes, form->weights, form->samples * sizeof *form->pushes);
            for (size_t i = 1; i < form->players; i++)
                for (size_t j = 0; j < form->samples; j++) form->pushes[j] += form->weights[i * form->samples + j];
            for (size_t j = 0; j < form->samples; j++) form->pushes[j] /= (double)form->players;
            from = form->pushes;
        }
        linex_status status = linex_wide_fit_advance(form, from, &wide->fit, fitted, slice);
        if (status) return status;
        wide->spent_on_fits += linex_ridge_fit_work((double)wide->fit.on, (double)features);
        for (size_t c = 0; c < features; c++) {
            if (!wide->given_gamma) wide->gamma = fmax(wide->gamma, fabs(fitted[c]));
            wide->rung.weights[c] += fitted[c] / (double)fits;
        }
    }
    wide->at.row = 0;
    form->gamma = wide->gamma;
    free(wide->fit.matrix);
    wide->fit.matrix = NULL;
    return LINEX_OK;
}

/* Splits the s at which the form is evaluated among the players, and measures how far that is from an equilibrium. */
static double certify(linex_wide *wide, const double *weights)
{
    linex_wide_form *form = &wide->form;
    size_t feature_count = wide->points.feature_count, players = form->players;
    memset(wide->weights, 0, feature_count * sizeof *wide->weights);
    for (size_t c = 0; c < form->features; c++) wide->weights[form->kept[c]] = weights[c];
    for (size_t i = 0; i < players; i++) {
        double total = form->totals[i], *pulls = wide->pulls + i * feature_count;
        double *diagonals = wide->diagonals + i * feature_count;
        for (size_t c = 0; c < feature_count; c++) {
            pulls[c] = total > 0 ? 0 : -wide->weights[c];
            diagonals[c] = total > 0 ? form->ridge / total : 1;
        }
        for (size_t c = 0; total > 0 && c < form->features; c++) {
            size_t at = i * form->features + c;
            pulls[form->kept[c]] = (form->forces[at] - form->ridge * weights[c]) / total;
            diagonals[form->kept[c]] = (form->energies[at] + form->ridge) / total;
        }
    }
    linex_standing standing = {players,       feature_count, wide->gamma,     wide->prices,
                               wide->weights, wide->pulls,   wide->diagonals, 0};
    linex_standing_split(&standing, wide->prices + players, wide->strategies);
    return linex_standing_residual(&standing, wide->strategies);
}

static double spent(const linex_wide *wide)
{
    return wide->spent_on_fits + wide->rung.work + wide->rung.system.work;
}

/* The median over features of the players' mean energy. */
static double median_energy(linex_wide *wide)
{
    const linex_wide_form *form = &wide->form;
    for (size_t c = 0; c < form->features; c++) {
        wide->pulls[c] = 0;
        for (size_t i = 0; i < form->players; i++)
            wide->pulls[c] += form->energies[i * form->features + c] / (double)form->players;
    }
    linex_sort(form->features, wide->pulls);
    return linex_quantile(form->features, wide->pulls, 0.5);
}

/* The ladder starts at this share of the median energy and goes up to HIGHEST times it. Its steps are factors: they
 * grow after a rung that was solved and shrink after one that was not. */
static const double TOP = 0.3, HIGHEST = 100, FIRST_STEP = 0.6, SMALLEST_STEP = 0.998;

static const linex_wide_effort START = {8, 2000}, FURTHER = {3, 500};

/* Starts the next rung of the ladder after one ended. Returns false if there is none. */
static bool next_rung(linex_wide *wide)
{
    linex_wide_form *form = &wide->form;
    linex_wide_rung *rung = &wide->rung;
    double energy = median_energy(wide);
    size_t bytes = form->features * sizeof *rung->weights;
    if (rung->solved) {
        wide->step = wide->ridge_done > 0 ? fmax(0.1, wide->step * sqrt(wide->step)) : FIRST_STEP;
        wide->ridge_done = form->ridge;
        memcpy(wide->done_weights, rung->weights, bytes);
        if (certify(wide, rung->weights) <= wide->tolerance) wide->certified = form->ridge;
    } else if (wide->ridge_done > 0) {
        wide->step = sqrt(wide->step);
        memcpy(rung->weights, wide->done_weights, bytes);
    } else {
        form->ridge = fmax(4 * wide->target, form->ridge == wide->target ? TOP * energy : 3 * form->ridge);
        if (form->ridge > HIGHEST * fmax(energy, wide->target)) return false;
        linex_wide_rung_start(rung, START);
        return true;
    }
    if (wide->step > SMALLEST_STEP) return false;
    form->ridge = fmax(wide->target, wide->ridge_done * wide->step);
    linex_wide_rung_start(rung, FURTHER);
    return true;
}

/* Keeps the best s at the target ridge. Returns whether the game is over. */
static bool end_rung(linex_wide *wide)
{
    linex_wide_rung *rung = &wide->rung;
    size_t bytes = wide->form.features * sizeof *rung->weights;
    bool at_target = wide->form.ridge == wide->target;
    if (at_target && rung->solved) memcpy(wide->solution, rung->weights, bytes);
    if (at_target && rung->solved) return true;
    if (at_target && rung->best < wide->report.residual) {
        wide->report.residual = rung->best;
        memcpy(wide->solution, rung->best_weights, bytes);
    }
    return spent(wide) > wide->limit || !next_rung(wide);
}

/* Fills the results from the s at which the form is evaluated. */
static void finish(linex_wide *wide)
{
    const linex_wide_form *form = &wide->form;
    linex_wide_rung *rung = &wide->rung;
    wide->report = (linex_game_report){.rounds = rung->rounds};
    wide->report.residual = certify(wide, wide->solution);
    wide->report.converged = wide->report.residual <= wide->tolerance;
    linex_wide_ask(form, rung->pieces, rung->medians);
    for (size_t c = 0; c < form->features; c++)
        wide->report.median_residual =
            fmax(wide->report.median_residual, fabs(wide->solution[c] - rung->medians[c]) / wide->gamma);
}

/* sizes[j] = |y_j| + sum over c of |x_jc s_c|: what was added up to get y - X s. In slices. */
static linex_status take_sizes(linex_wide *wide, double *sizes, linex_slice *slice)
{
    const linex_wide_form *form = &wide->form;
    size_t samples = form->samples, *feature = &wide->inner.row;
    for (size_t j = 0; *feature == 0 && j < samples; j++) sizes[j] = fabs(form->answers[j]);
    do {
        double weight = fabs(wide->solution[*feature]);
        const double *column = form->columns + *feature * samples;
        for (size_t j = 0; j < samples; j++) sizes[j] += weight * fabs(column[j]);
        linex_slice_use(slice, (double)samples);
        if (++*feature < form->features && linex_slice_ended(slice)) return LINEX_UNFINISHED;
    } while (*feature < form->features);
    wide->inner = (linex_cursor){0};
    return LINEX_OK;
}

/* A residual says nothing if rounding can hide a move that is this large, as a share of gamma. */
static const double HIDDEN = 1e-9;

/* Estimates the largest move that rounding can hide: of y - X s, if gamma is far below the fits, and of a column whose
 * values for one player are far from their mean over all players, because of an outlier. */
static void check_rounding(linex_wide *wide, const double *sizes)
{
    const linex_wide_form *form = &wide->form;
    double size = 0, left = 0, reach = 0, lost = 0;
    for (size_t j = 0; j < form->samples; j++) {
        size = fmax(size, sizes[j]);
        left = fmax(left, fabs(form->left[j]));
    }
    for (size_t i = 0; i < form->players * form->features; i++) {
        double energy = form->energies[i], total = form->totals[i / form->features];
        reach = fmax(reach, sqrt(total) * sqrt(energy) / (energy + form->ridge));
        if (energy > 0) lost = fmax(lost, left * (total * (fabs(form->means[i]) / (energy + form->ridge))));
    }
    double hidden = DBL_EPSILON * fmax(sqrt((double)form->features) * size * reach, lost) / wide->gamma;
    if (hidden <= HIDDEN) return;
    wide->report.residual = fmax(wide->report.residual, hidden);
    wide->report.converged = wide->report.residual <= wide->tolerance;
}

/* Without a feature that varies, or without an answer that does, everybody prefers zero. */
static void finish_at_zero(linex_wide *wide)
{
    wide->report = (linex_game_report){.converged = true};
    wide->at.stage = DONE;
}

static void start_game(linex_wide *wide)
{
    memcpy(wide->rung.system.targets, wide->form.forces,
           wide->form.players * wide->form.features * sizeof *wide->form.forces);
    wide->report.residual = (double)INFINITY;
    linex_wide_rung_start(&wide->rung, (linex_wide_effort){12, wide->form.features});
}

static linex_status advance_stage(linex_wide *wide, linex_slice *slice)
{
    linex_wide_form *form = &wide->form;
    linex_status status = LINEX_OK;
    switch (wide->at.stage) {
    case PREPARE:
        status = linex_wide_prepare(&wide->points, form, form->left, &wide->inner, slice);
        if (!status && form->features == 0) return finish_at_zero(wide), LINEX_OK;
        if (!status) status = allocate_more(wide);
        break;
    case FITS:
        status = take_fits(wide, slice);
        if (!status && wide->gamma == 0) return finish_at_zero(wide), LINEX_OK;
        break;
    case NEAR:
        status = linex_wide_near_advance(form, wide->rung.near, wide->panel, &wide->inner, slice);
        break;
    case TARGETS: /* what the players ask for at s = 0; `solution` is still all zeros */
        status = linex_wide_evaluate(form, wide->solution, &wide->inner, slice);
        if (!status) start_game(wide);
        break;
    case RUNG:
        status = linex_wide_rung_advance(form, &wide->rung, slice);
        if (status || !end_rung(wide)) return status;
        form->ridge = wide->target;
        break;
    case LAST_LOOK:
        status = linex_wide_evaluate(form, wide->solution, &wide->inner, slice);
        if (!status) finish(wide);
        break;
    case SIZES:
        status = take_sizes(wide, form->pushes, slice);
        if (!status) check_rounding(wide, form->pushes);
        break;
    }
    if (!status) wide->at.stage++;
    return status;
}

linex_status linex_wide_solve(linex_wide *wide, linex_slice *slice)
{
    while (wide->at.stage != DONE) {
        linex_status status = advance_stage(wide, slice);
        if (status) return status;
    }
    return LINEX_OK;
}

void linex_wide_limit(linex_wide *wide, double work)
{
    wide->limit = work;
}

/* Most games take about three fits. */
double linex_wide_progress(const linex_wide *wide)
{
    if (wide->at.stage == DONE) return 1;
    return spent(wide) / (spent(wide) + 3 * fit_work(wide));
}

double linex_wide_work(const linex_wide *wide)
{
    return spent(wide);
}

const double *linex_wide_weights(const linex_wide *wide)
{
    return wide->weights;
}

const double *linex_wide_strategies(const linex_wide *wide)
{
    return wide->strategies;
}

double linex_wide_gamma(const linex_wide *wide)
{
    return wide->gamma;
}

linex_game_report linex_wide_report(const linex_wide *wide)
{
    return wide->report;
}

double linex_wide_certified_ridge(const linex_wide *wide)
{
    return wide->report.converged ? 0 : wide->certified;
}
