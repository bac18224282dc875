/* wide_newton.c: Newton steps on the pieces of a wide game. */
#include "wide/wide_newton.h"

#include <string.h>

/* A step below this length gets nowhere. */
static const double SHORTEST = 0.05;

static double merit_of(size_t features, const double *weights, const double *medians)
{
    double sum = 0;
    for (size_t c = 0; c < features; c++) sum += (weights[c] - medians[c]) * (weights[c] - medians[c]);
    return sqrt(sum);
}

void linex_wide_newton_start(const linex_wide_form *form, const double *weights, const double *medians,
                             const uint32_t *pieces, size_t most, linex_wide_newton *newton)
{
    newton->at = newton->inner = (linex_cursor){0};
    newton->solved = false;
    newton->most = most;
    newton->steps = newton->trials = 0;
    newton->merit = merit_of(form->features, weights, medians);
    memcpy(newton->weights, weights, form->features * sizeof *weights);
    memcpy(newton->pieces, pieces, form->features * sizeof *pieces);
}

/* Looks at the trial. Returns whether the steps have ended. */
static bool judge_trial(const linex_wide_form *form, linex_wide_newton *newton)
{
    size_t features = form->features;
    newton->trials++;
    memcpy(newton->tried, newton->pieces, features * sizeof *newton->tried);
    size_t changes = linex_wide_ask(form, newton->tried, newton->medians);
    double merit = merit_of(features, newton->trial, newton->medians);
    if (newton->length == 1 && changes == 0) {
        newton->solved = true;
    } else if (!(merit <= (1 - 1e-4 * newton->length) * newton->merit)) {
        newton->length /= 2;
        newton->at.stage = 1;
        return newton->length < SHORTEST;
    }
    newton->changes = changes;
    memcpy(newton->weights, newton->trial, features * sizeof *newton->weights);
    memcpy(newton->pieces, newton->tried, features * sizeof *newton->pieces);
    newton->merit = merit;
    newton->at.stage = 0;
    return newton->solved || newton->steps == newton->most || !isfinite(merit);
}

/* Solves for the pieces, unless the latest solution was for the same ones. */
static linex_status solve_pieces(linex_wide_form *form, linex_wide_system *system, linex_wide_newton *newton,
                                 linex_slice *slice)
{
    if (newton->steps == 0 || newton->changes > 0) {
        linex_status status = linex_wide_system_factor(form, newton->pieces, false, system, slice);
        if (status) return status;
        linex_wide_system_solve(form, newton->pieces, system, newton->full);
    }
    newton->steps++;
    return LINEX_OK;
}

linex_status linex_wide_newton_advance(linex_wide_form *form, linex_wide_system *system, linex_wide_newton *newton,
                                       linex_slice *slice)
{
    size_t features = form->features;
    linex_cursor *at = &newton->at;
    for (;;) {
        if (at->stage == 0) {
            linex_status status = solve_pieces(form, system, newton, slice);
            if (status == LINEX_DEGENERATE) return LINEX_OK;
            if (status) return status;
            newton->length = 1;
            at->stage = 1;
        }
        if (at->stage == 1) {
            double length = newton->length, *weights = newton->weights;
            for (size_t c = 0; c < features; c++)
                newton->trial[c] =
                    length == 1 ? newton->full[c] : weights[c] + length * (newton->full[c] - weights[c]);
            at->stage = 2;
        }
        linex_status status = linex_wide_evaluate(form, newton->trial, &newton->inner, slice);
        if (status) return status;
        if (judge_trial(form, newton)) return LINEX_OK;
    }
}
