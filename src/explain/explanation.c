/* explanation.c: makes one explanation from answered samples: selection, games, draws, intervals, fidelity. */
#include "explain/explaining.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "adjust/answered_samples.h"
#include "base/alloc.h"
#include "matrices/matrix.h"
#include "explain/environment_fits.h"
#include "explain/fidelity.h"
#include "explain/settings.h"
#include "explain/stability.h"
#include "explain/student.h"
#include "environments/environments.h"
#include "game/select.h"

/* Samples per feature from which on the residuals of kriging are those of the noise. */
enum { ENOUGH = 3 };
/* Weights below this share of the largest one are rounding. */
static const double NOTHING = 1e-6;

enum stage { START, SELECT, OPEN, PREPARE, FIND_ERRORS, DRAW, FIND_LOSSES, REPORT, FIND_INTERCEPT, MEASURE };

/* One explanation in the making. */
typedef struct {
    linex_task task;
    linex_samples samples; /* as the fits see them */
    const double *answers; /* what the model said: the same answers, unless they were adjusted */
    linex_settings settings;
    const linex_wide_player *wide_player;
    const double *at;
    linex_explanation *explanation;
    enum stage stage;
    double *totals;   /* count: the weight of all copies of a point */
    uint32_t *chosen; /* feature_count; the first chosen_count are the selected features, which are fitted */
    bool *listed;     /* feature_count: which of the selected features are listed */
    size_t chosen_count;
    linex_points points; /* of the samples */
    linex_selecting *selecting;
    linex_fits fits;
    linex_outcome outcome, mean;
    double *memory;   /* owns the arrays of the outcomes and those below */
    double *losses;   /* size: how much the ridge takes */
    double *drawn;    /* size x draws: the weights of one feature after the other; NULL if steady */
    double *whole;    /* size: the fit to all samples; NULL if not steady, like the next two */
    double *errors;   /* size: its standard errors */
    double *agreed;   /* size: in how many draws the sign was that of the whole */
    double *informed; /* 2 x size: how many draws and how many games say something about a feature */
    double rounding;  /* smaller weights are rounding */
    size_t draw;      /* the next draw */
    size_t kept;      /* draws that were not degenerate */
    size_t played;    /* the same for games */
    bool constant;    /* whether the answers do not vary */
    double *weights;  /* the reported weights of the fitted features */
    size_t fitted;    /* how many features are fitted; 0 if the intercept is all there is */
    linex_fidelity fidelity;
} explaining;

/* Whether a weight has the sign of the fit to all samples, beyond what the ridge takes and beyond rounding. */
static bool agrees(const explaining *job, size_t c, double weight)
{
    double least = fmax(fabs(job->losses[c]), job->rounding);
    return job->whole[c] > 0 ? weight > least : job->whole[c] < 0 && weight < -least;
}

/* Counts the features that agree in this draw. Those that it says nothing about are not part of its game's result. */
static void count_agreement(explaining *job)
{
    size_t size = job->fits.size;
    bool draws = job->draw < job->settings.draws, games = job->draw < job->settings.games;
    for (size_t c = 0; c < size; c++) {
        if (linex_fits_inform(&job->fits, c)) {
            job->informed[c] += draws;
            job->informed[size + c] += games;
            job->agreed[c] += draws && agrees(job, c, linex_fits_agreed(&job->fits, &job->outcome, c));
        } else {
            for (size_t i = 0; i <= job->fits.players; i++) job->outcome.weights[i * size + c] = 0;
        }
    }
}

/* Whether the reported weights are the fit to all samples. A bound of the game would not hold for it. */
static bool reports_fit(const explaining *job)
{
    const linex_settings *settings = &job->settings;
    if (!job->whole || settings->method == LINEX_METHOD_LIME) return job->whole;
    return settings->method == LINEX_METHOD_LINEX && settings->weight == LINEX_WEIGHT_FIT &&
           settings->game.gamma == 0 && isinf(settings->game.l1);
}

/* Makes the mean of the games, if some of them were degenerate or say nothing about a feature. A feature about which no
 * game says anything has the weight of the fit to all samples. */
static linex_status finish_mean(explaining *job)
{
    size_t size = job->fits.size, players = job->fits.players;
    bool lime = job->settings.method == LINEX_METHOD_LIME, fit = reports_fit(job);
    if (job->played == 0 && !(job->whole && lime)) return LINEX_DEGENERATE;
    double games = (double)job->settings.games, factor = job->played > 0 ? games / (double)job->played : 1;
    for (size_t c = 0; c < size; c++) {
        double *mean = job->mean.weights + c, own = job->whole ? job->informed[size + c] : (double)job->played;
        bool unknown = job->whole && own == 0;
        for (size_t i = 1; i <= players; i++)
            mean[i * size] = unknown ? job->whole[c] / (double)players : mean[i * size] * (games / own);
        mean[0] = unknown || fit ? job->whole[c] : mean[0] * (games / own);
    }
    job->mean.gamma *= factor;
    job->mean.report.multiplier *= factor;
    return LINEX_OK;
}

/* Keeps the result of one draw, for the mean and for the intervals. */
static void keep_draw(explaining *job)
{
    size_t games = job->settings.games, draws = job->settings.draws, size = job->fits.size;
    job->explanation->unsettled += !job->outcome.report.converged;
    if (job->draw == 0 && job->settings.method == LINEX_METHOD_LINEX)
        linex_fits_keep_game(&job->fits, job->explanation);
    if (job->whole) count_agreement(job);
    if (job->draw < games) linex_outcome_add(&job->fits, &job->outcome, 1 / (double)games, &job->mean);
    job->played += job->draw < games;
    if (job->draw >= draws) return;
    for (size_t c = 0; job->drawn && c < size; c++) job->drawn[c * draws + job->kept] = job->outcome.weights[c];
    job->kept++;
}

/* Plays the games whose mean is reported, and the draws that the intervals come from. A draw can be degenerate (a
 * bootstrap of few points without a ridge). It is then left out. If all games are degenerate, the call fails. */
static linex_status play_draws(explaining *job, linex_slice *slice)
{
    size_t games = job->settings.games, draws = job->settings.draws;
    for (size_t c = 0; job->whole && c < job->fits.size; c++)
        job->rounding = fmax(job->rounding, NOTHING * fabs(job->whole[c]));
    for (; job->draw < draws || job->draw < games; job->draw++) {
        if (linex_slice_ended(slice)) return LINEX_UNFINISHED;
        linex_status status = linex_fits_draw(&job->fits, job->draw, &job->outcome, slice);
        if (status == LINEX_DEGENERATE) continue;
        if (status) return status;
        keep_draw(job);
    }
    return finish_mean(job);
}

/* The largest loss divided by the largest weight. */
static double relative_loss(size_t count, const double *weights, const double *losses)
{
    double largest = 0, most = 0;
    for (size_t c = 0; c < count; c++) {
        largest = fmax(largest, fabs(weights[c]));
        most = fmax(most, fabs(losses[c]));
    }
    return largest > 0 ? most / largest : 0;
}

/* Fills every array with zeros. */
static void clear(size_t feature_count, size_t players, linex_explanation *explanation)
{
    double *arrays[] = {explanation->weights, explanation->raw, explanation->low, explanation->high,
                        explanation->agreement};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        if (arrays[i]) memset(arrays[i], 0, feature_count * sizeof **arrays);
    if (explanation->silenced) memset(explanation->silenced, 0, feature_count);
    if (explanation->strategies)
        memset(explanation->strategies, 0, players * feature_count * sizeof *explanation->strategies);
}

/* Finds the interval of fitted feature c and the agreement of its sign, from the errors of the fit to all samples or
 * from the draws. */
static void find_interval(const explaining *job, size_t c, double *low, double *high, double *agreement)
{
    double weight = job->mean.weights[c], loss = job->losses[c];
    size_t draws = job->settings.draws, kept = job->kept;
    *low = *high = weight;
    *agreement = 1;
    if (draws == 0) return;
    if (job->whole) {
        size_t runs = job->fits.left_out;
        bool chance = !job->samples.complete; /* otherwise only the ridge is between the fit and the truth */
        double reach = chance ? linex_student_quantile(runs > 1 ? runs - 1 : 1) * job->errors[c] : fabs(loss);
        double center = job->whole[c] + (chance ? loss : 0); /* without the ridge, the fit is not biased */
        *low = fmin(center - reach, weight);
        *high = fmax(center + reach, weight);
        double informed = job->informed[c];
        *agreement = informed > 0 ? job->agreed[c] / informed : kept > 0 && agrees(job, c, job->whole[c]);
        return;
    }
    if (kept > 0) linex_stability_of(kept, job->drawn + c * draws, low, high, agreement);
    *low = fmin(*low, weight) - loss;
    *high = fmax(*high, weight) + loss;
}

/* Writes the results of fitted feature c. Returns its weight: zero if it is not sure.
 *
 * least  smaller weights are rounding */
static double report_feature(const explaining *job, double least, size_t c, size_t feature)
{
    const linex_fits *fits = &job->fits;
    const linex_outcome *mean = &job->mean;
    linex_explanation *explanation = job->explanation;
    size_t feature_count = job->samples.feature_count;
    double low, high, agreement, weight = mean->weights[c];
    find_interval(job, c, &low, &high, &agreement);
    bool sure = agreement >= job->settings.agreement && (low > 0 || high < 0) && fabs(weight) >= least;
    bool silenced = job->settings.agreement > 0 && !sure;
    if (explanation->silenced) explanation->silenced[feature] = silenced;
    if (explanation->raw) explanation->raw[feature] = mean->weights[c];
    if (explanation->low) explanation->low[feature] = low;
    if (explanation->high) explanation->high[feature] = high;
    if (explanation->agreement) explanation->agreement[feature] = agreement;
    bool plays = explanation->strategies && job->settings.method == LINEX_METHOD_LINEX;
    for (size_t i = 0; plays && i < fits->players; i++)
        explanation->strategies[i * feature_count + feature] = mean->strategies[i * fits->size + c];
    return silenced ? 0 : weight;
}

/* Lists the features that were fitted. LINEX_SELECT_LEADING lists the largest weights only, and sets the others to
 * zero. */
static void list_features(explaining *job)
{
    linex_explanation *explanation = job->explanation;
    size_t most = job->settings.features, listed = 0;
    bool leading = job->settings.selection == LINEX_SELECT_LEADING && most > 0 && most < job->chosen_count;
    for (size_t c = 0; leading && c < job->fitted; c++) {
        size_t larger = 0;
        double size = fabs(job->weights[c]);
        for (size_t other = 0; other < job->fitted; other++) {
            double its = fabs(job->weights[other]);
            larger += its > size || (its == size && other < c);
        }
        job->listed[c] = size > 0 && larger < most;
    }
    for (size_t c = 0; c < job->chosen_count; c++) {
        if (leading && c < job->fitted && !job->listed[c]) job->weights[c] = 0;
        if (c < job->fitted && explanation->weights) explanation->weights[job->chosen[c]] = job->weights[c];
        if (leading && !(c < job->fitted && job->listed[c])) continue;
        if (explanation->chosen) explanation->chosen[listed] = job->chosen[c];
        listed++;
    }
    explanation->chosen_count = listed;
    explanation->fitted_count = job->chosen_count;
    if (explanation->fitted) memcpy(explanation->fitted, job->chosen, job->chosen_count * sizeof *job->chosen);
}

/* Finds the intercept that fits all samples best, and how well the explanation fits them: weighted R^2. */
static linex_status measure_fidelity(explaining *job, linex_slice *slice)
{
    linex_explanation *explanation = job->explanation;
    linex_fidelity *fidelity = &job->fidelity;
    const linex_points *points = &job->fits.points;
    if (job->stage == FIND_INTERCEPT) {
        if (linex_fidelity_add(fidelity, points, job->samples.answers, job->answers, job->totals, job->fitted,
                               job->weights, job->fits.scratch, slice))
            return LINEX_UNFINISHED;
        bool plays = job->memory && job->fits.size > job->fitted;
        explanation->intercept = plays ? job->mean.weights[job->fitted] : 0;
        if (linex_fits_are_centered(&job->settings)) explanation->intercept = linex_fidelity_intercept(fidelity);
        job->stage = MEASURE;
    }
    if (linex_fidelity_measure(fidelity, points, job->answers, job->totals, job->fitted, job->weights,
                               explanation->intercept, job->fits.scratch, slice))
        return LINEX_UNFINISHED;
    explanation->fidelity = linex_fidelity_share(fidelity);
    if (job->constant) { /* rounding can move their mean */
        explanation->intercept = job->answers[0];
        explanation->fidelity = 1;
    }
    explanation->local_prediction = explanation->intercept;
    for (size_t c = 0; c < job->fitted; c++)
        explanation->local_prediction += job->weights[c] * job->at[job->chosen[c]];
    return LINEX_OK;
}

/* Fills the arrays of the explanation from the games and draws. */
static void report_features(explaining *job)
{
    linex_explanation *explanation = job->explanation;
    double largest = 0;
    for (size_t c = 0; c < job->fitted; c++) largest = fmax(largest, fabs(job->mean.weights[c]));
    explanation->gamma = job->mean.gamma;
    explanation->game = job->mean.report;
    explanation->certified_ridge = job->fits.certified_ridge;
    for (size_t c = 0; c < job->fitted; c++)
        job->weights[c] = report_feature(job, NOTHING * largest, c, job->chosen[c]);
    list_features(job);
    if (job->whole && job->settings.draws > 0) explanation->runs = job->fits.left_out;
    explanation->ridge_loss = relative_loss(job->fitted, job->mean.weights, job->losses);
}

/* Divides one block of memory among the arrays of the draws. */
static linex_status place_arrays(explaining *job)
{
    size_t size = job->fits.size, each = (1 + job->fits.players) * size, draws = job->settings.draws;
    double rest = job->fits.steady ? 6 : (double)draws + 1;
    double *memory = linex_alloc_doubles(2.0 * (double)each + (double)size * rest);
    if (!memory) return LINEX_NO_MEMORY;
    job->memory = memory;
    job->outcome = (linex_outcome){.weights = memory, .strategies = memory + size, .report = {.converged = true}};
    job->mean =
        (linex_outcome){.weights = memory + each, .strategies = memory + each + size, .report = {.converged = true}};
    job->losses = memory + 2 * each;
    if (job->fits.steady) {
        job->whole = job->losses + size;
        job->errors = job->whole + size;
        job->agreed = job->errors + size;
        job->informed = job->agreed + size;
    } else {
        job->drawn = job->losses + size;
    }
    job->weights = job->outcome.weights;
    job->fitted = job->chosen_count;
    return LINEX_OK;
}

/* Makes room for the fits and for what is drawn. Without a feature to fit, the intercept is all there is. */
static linex_status open_fits(explaining *job)
{
    linex_explanation *explanation = job->explanation;
    linex_status status =
        linex_fits_open(&job->fits, &job->samples, &job->settings, job->totals, job->answers, job->chosen,
                        job->chosen_count, explanation->grams || explanation->targets, job->wide_player);
    if (status) return status;
    linex_adjusted_kind adjusted = explanation->adjusted.kind;
    /* With few rows, the settings of kriging fit them too well, and so its residuals are too small. */
    bool enough = job->samples.masks || job->samples.planned >= ENOUGH * job->chosen_count;
    job->fits.calibrated = adjusted == LINEX_ADJUSTED_BEND || (adjusted == LINEX_ADJUSTED_KRIGING && enough);
    if (job->constant || job->fits.size == 0) {
        job->stage = FIND_INTERCEPT;
        job->weights = job->fits.fits;
        list_features(job);
        return LINEX_OK;
    }
    job->stage = PREPARE;
    /* If the halves are the whole, all games are the same. */
    if (job->samples.complete && job->fits.steady && job->fits.environments.kind == LINEX_HALVES) {
        job->settings.games = 1;
        job->settings.draws = job->settings.draws > 0;
    }
    return place_arrays(job);
}

/* Whether everything that was computed is finite. Large answers can overflow sums or squares. */
static bool is_finite(const explaining *job)
{
    const linex_explanation *explanation = job->explanation;
    const double numbers[] = {
        explanation->intercept,         explanation->fidelity,     explanation->local_prediction,
        explanation->effective_samples, explanation->ridge_loss,   explanation->gamma,
        explanation->game.residual,     explanation->ridge,        explanation->relative_ridge,
        explanation->game.multiplier,   explanation->adjusted.gain};
    const double *arrays[] = {explanation->weights, explanation->raw, explanation->low, explanation->high,
                              explanation->agreement};
    if (!linex_all_finite(sizeof numbers / sizeof *numbers, numbers)) return false;
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        if (arrays[i] && !linex_all_finite(job->samples.feature_count, arrays[i])) return false;
    size_t strategies = job->settings.environments.players * job->samples.feature_count;
    return !explanation->strategies || linex_all_finite(strategies, explanation->strategies);
}

/* Starts to select features by the answers that the fits see. */
static linex_status start_selecting(explaining *job)
{
    const linex_adjustment *adjustment = job->samples.adjustment;
    if (adjustment) {
        job->samples.answers = adjustment->answers;
        job->settings.ridge = adjustment->ridge;
        job->explanation->adjusted = adjustment->adjusted;
    }
    return linex_selecting_new(job->settings.selection, &job->points, job->samples.answers, job->totals,
                               linex_fits_are_centered(&job->settings), job->at, job->settings.features, job->chosen,
                               &job->chosen_count, &job->selecting);
}

/* Does the present stage and chooses the next one. */
static linex_status advance_stage(explaining *job, linex_slice *slice)
{
    linex_status status = LINEX_OK;
    enum stage next = job->stage + 1;
    switch (job->stage) {
    case START:
        status = start_selecting(job);
        break;
    case SELECT:
        status = linex_selecting_advance(job->selecting, slice);
        break;
    case OPEN:
        return open_fits(job);
    case PREPARE:
        status = linex_fits_prepare(&job->fits, slice);
        job->explanation->ridge = job->fits.ridge;
        job->explanation->relative_ridge = job->fits.relative_ridge;
        break;
    case FIND_ERRORS:
        if (job->whole)
            status =
                linex_fits_find_errors(&job->fits, job->outcome.weights, job->whole, job->errors, job->losses, slice);
        break;
    case DRAW:
        status = play_draws(job, slice);
        break;
    case FIND_LOSSES:
        if (job->settings.draws > 0 && !job->whole)
            status = linex_fits_ridge_losses(&job->fits, job->outcome.weights, job->losses, slice);
        break;
    case REPORT:
        report_features(job);
        break;
    case FIND_INTERCEPT:
    case MEASURE:
        break;
    }
    if (!status) job->stage = next;
    return status;
}

static linex_status advance_explaining(linex_task *task, linex_slice *slice)
{
    explaining *job = (explaining *)task;
    while (job->stage < FIND_INTERCEPT) {
        linex_status status = advance_stage(job, slice);
        if (status) return status;
    }
    linex_status status = measure_fidelity(job, slice);
    if (status) return status;
    return is_finite(job) ? LINEX_OK : LINEX_OVERFLOW;
}

/* Most of the time goes into the draws. */
static double explaining_progress(const linex_task *task)
{
    const explaining *job = (const explaining *)task;
    size_t all = job->settings.draws > job->settings.games ? job->settings.draws : job->settings.games;
    if (job->stage < DRAW) return 0.01 + 0.01 * (double)job->stage;
    if (job->stage > DRAW) return 0.94 + 0.01 * (double)(job->stage - DRAW);
    return 0.06 + 0.88 * (double)job->draw / (double)all;
}

static void release_explaining(linex_task *task)
{
    explaining *job = (explaining *)task;
    linex_selecting_free(job->selecting);
    linex_fits_close(&job->fits);
    free(job->memory);
    free(job->totals);
    free(job->chosen);
    free(job->listed);
    free(job);
}

/* Empties the outputs, so that they are filled even if there is nothing to fit. */
static void reset(const explaining *job)
{
    linex_explanation *explanation = job->explanation;
    clear(job->samples.feature_count, job->settings.environments.players, explanation);
    explanation->gamma = explanation->ridge_loss = 0;
    explanation->game = (linex_game_report){.converged = true};
    explanation->unsettled = explanation->runs = 0;
    explanation->ridge = job->settings.ridge == LINEX_RIDGE_AUTO ? LINEX_NARROW_RIDGE : job->settings.ridge;
    explanation->relative_ridge = 0;
    explanation->adjusted = (linex_adjusted){LINEX_ADJUSTED_NONE, 1};
    explanation->certified_ridge = 0;
}

linex_status linex_explaining_start(const linex_samples *samples, const double *at, const linex_settings *settings,
                                    const linex_wide_player *wide_player, linex_explanation *explanation,
                                    linex_task **task)
{
    if (!samples || !at || !settings || !explanation || !task || !linex_samples_are_good(samples) ||
        !linex_settings_are_good(settings) || !linex_environments_are_good(samples, &settings->environments) ||
        !linex_all_finite(samples->feature_count, at))
        return LINEX_BAD_ARGUMENT;
    explaining *job = calloc(1, sizeof *job);
    if (!job) return LINEX_NO_MEMORY;
    job->task = (linex_task){advance_explaining, explaining_progress, release_explaining, LINEX_UNFINISHED, 0};
    job->samples = *samples;
    job->samples.law = NULL; /* only adjusting needs it */
    job->answers = samples->answers;
    job->settings = *settings;
    job->settings.environments.at = at;
    job->wide_player = wide_player;
    job->at = at;
    job->explanation = explanation;
    job->points = linex_points_of(samples);
    job->constant = linex_fits_are_centered(settings) && linex_answers_are_constant(samples);
    job->chosen = calloc(samples->feature_count, sizeof *job->chosen);
    job->listed = calloc(samples->feature_count, sizeof *job->listed);
    job->totals = linex_alloc_doubles((double)samples->count);
    if (!job->chosen || !job->listed || !job->totals) {
        release_explaining(&job->task);
        return LINEX_NO_MEMORY;
    }
    reset(job);
    explanation->effective_samples = linex_samples_total(samples, job->totals);
    *task = &job->task;
    return LINEX_OK;
}
