/* adjusting.c: chooses the control variate, subtracts it and calibrates what is left. */
#include "adjust/adjusting.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "adjust/bend.h"
#include "adjust/calibration.h"
#include "adjust/kriging.h"
#include "base/alloc.h"
#include "environments/environments.h"

/* With fewer samples there is nothing to learn from. With more features bending takes too long, and with more samples
 * kriging does. */
enum { FEWEST_SAMPLES = 10, MOST_BENT = 256, MOST_KRIGED = 600 };

struct linex_adjusting {
    const linex_samples *samples;
    const double *totals;
    linex_points points;
    double *answers;        /* count */
    linex_bend *bend;       /* NULL if kriging is used */
    linex_kriging *kriging; /* NULL if not */
    linex_calibration calibration;
    linex_adjusted result;
    double ridge;
    bool calibrating;
};

static bool can_krige(const linex_samples *samples)
{
    return samples->points && samples->count <= MOST_KRIGED;
}

/* The ridge of a wide fit is relative, so the terms of bend would be penalized too little. */
static bool can_bend(const linex_samples *samples)
{
    bool wide =
        samples->feature_count >= LINEX_WIDE_FEATURES && samples->count < LINEX_WIDE_SAMPLES * samples->feature_count;
    return !wide && samples->feature_count <= MOST_BENT;
}

bool linex_adjusting_is_due(const linex_samples *samples, const linex_settings *settings)
{
    linex_environment_kind kind = settings->environments.kind;
    bool random = settings->method == LINEX_METHOD_LIME || kind == LINEX_BOOTSTRAP || kind == LINEX_HALVES ||
                  kind == LINEX_SIDES;
    return settings->adjust == LINEX_ADJUST_AUTO && samples->law && random &&
           settings->intercept == LINEX_INTERCEPT_FREE && samples->count >= FEWEST_SAMPLES &&
           (can_krige(samples) || can_bend(samples));
}

static linex_kriging *new_kriging(const linex_samples *samples, const double *totals)
{
    size_t features = samples->feature_count;
    linex_column_law *laws = linex_alloc_items((double)features, sizeof *laws);
    if (!laws) return NULL;
    for (size_t c = 0; c < features; c++) laws[c] = linex_law_column(samples->law, c);
    linex_kriging *kriging =
        linex_kriging_new(samples->count, features, samples->points, laws, totals, samples->answers);
    free(laws);
    return kriging;
}

linex_adjusting *linex_adjusting_new(const linex_samples *samples, const linex_settings *settings,
                                     const double *totals)
{
    linex_adjusting *adjusting = calloc(1, sizeof *adjusting);
    if (!adjusting) return NULL;
    adjusting->samples = samples;
    adjusting->totals = totals;
    adjusting->points = linex_points_of(samples);
    adjusting->ridge = settings->ridge;
    adjusting->result = (linex_adjusted){LINEX_ADJUSTED_NONE, 1};
    adjusting->answers = linex_alloc_doubles((double)samples->count);
    if (can_krige(samples))
        adjusting->kriging = new_kriging(samples, totals);
    else
        adjusting->bend = linex_bend_new(&adjusting->points, samples->law, totals, samples->answers, settings->ridge);
    adjusting->calibration = (linex_calibration){
        .samples = samples,
        .points = &adjusting->points,
        .totals = totals,
        .answers = adjusting->answers,
        .players = settings->environments.kind == LINEX_BOOTSTRAP ? 0 : settings->environments.players,
        .seed = settings->seed,
    };
    if (!adjusting->answers || (!adjusting->bend && !adjusting->kriging)) {
        linex_adjusting_free(adjusting);
        return NULL;
    }
    memcpy(adjusting->answers, samples->answers, samples->count * sizeof *adjusting->answers);
    return adjusting;
}

void linex_adjusting_free(linex_adjusting *adjusting)
{
    if (!adjusting) return;
    linex_bend_free(adjusting->bend);
    linex_kriging_free(adjusting->kriging);
    linex_calibration_close(&adjusting->calibration);
    free(adjusting->answers);
    free(adjusting);
}

/* Subtracts the control, and prepares the calibration. Large answers can overflow; then nothing is adjusted. */
static linex_status subtract(linex_adjusting *adjusting, const double *control, const double *residuals,
                             linex_adjusted result)
{
    size_t count = adjusting->samples->count;
    linex_add_scaled(count, -1, control, adjusting->answers);
    if (!linex_all_finite(count, adjusting->answers) || !linex_all_finite(count, residuals)) {
        memcpy(adjusting->answers, adjusting->samples->answers, count * sizeof *adjusting->answers);
        return LINEX_OK;
    }
    adjusting->result = result;
    adjusting->calibration.residuals = residuals;
    adjusting->calibration.ridge = adjusting->ridge == LINEX_RIDGE_AUTO ? LINEX_NARROW_RIDGE : adjusting->ridge;
    adjusting->calibrating = true;
    return linex_calibration_open(&adjusting->calibration);
}

static linex_status bend_answers(linex_adjusting *adjusting, linex_slice *slice)
{
    linex_status status = linex_bend_advance(adjusting->bend, slice);
    if (status) return status;
    const double *control = linex_bend_control(adjusting->bend);
    if (adjusting->ridge == LINEX_RIDGE_AUTO && adjusting->samples->masks)
        adjusting->ridge = linex_bend_ridge(adjusting->bend);
    if (!control) return LINEX_OK;
    return subtract(adjusting, control, linex_bend_residuals(adjusting->bend),
                    (linex_adjusted){LINEX_ADJUSTED_BEND, linex_bend_gain(adjusting->bend)});
}

static linex_status krige_answers(linex_adjusting *adjusting, linex_slice *slice)
{
    const linex_kriging *kriging = adjusting->kriging;
    linex_status status = linex_kriging_advance(adjusting->kriging, slice);
    double gain = status ? 1 : linex_kriging_gain(kriging);
    if (!(gain > 1)) return status;
    return subtract(adjusting, linex_kriging_control(kriging), linex_kriging_residuals(kriging),
                    (linex_adjusted){LINEX_ADJUSTED_KRIGING, gain});
}

linex_status linex_adjusting_advance(linex_adjusting *adjusting, linex_slice *slice)
{
    if (!adjusting->calibrating) {
        linex_status status = adjusting->bend ? bend_answers(adjusting, slice) : krige_answers(adjusting, slice);
        if (status || !adjusting->calibrating) return status;
    }
    return linex_calibration_advance(&adjusting->calibration, slice);
}

const double *linex_adjusting_answers(const linex_adjusting *adjusting)
{
    return adjusting->answers;
}

linex_adjusted linex_adjusting_result(const linex_adjusting *adjusting)
{
    return adjusting->result;
}

double linex_adjusting_ridge(const linex_adjusting *adjusting)
{
    return adjusting->ridge;
}
