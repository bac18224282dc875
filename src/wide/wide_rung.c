/* wide_rung.c: solves a wide game at one ridge, from a given s: sweeps, Newton steps, the path. */
#include "wide/wide_rung.h"

#include <string.h>

#include "wide/wide_sweeps.h"

enum { SWEEPS = 10, MOST_SWEEPS = 50, STEPS = 24, STEPS_AFTER_PATH = 3 };
enum { ENTER, SWEEP, LOOK, NEWTON, BEFORE_PATH, PATH, LAST_STEPS, END };

/* Newton steps begin when at most this share of the pieces changed in the latest sweeps, or after MOST_SWEEPS. */
static const double SETTLING = 0.3;

void linex_wide_rung_start(linex_wide_rung *rung, linex_wide_effort effort)
{
    rung->at = rung->inner = (linex_cursor){0};
    rung->effort = effort;
    rung->solved = false;
    rung->sweeps = rung->attempts = 0;
    rung->best = (double)INFINITY;
}

double linex_wide_distance(const linex_wide_form *form, const double *weights)
{
    double largest = 0;
    for (size_t c = 0; c < form->features; c++) {
        for (size_t i = 0; i < form->players; i++) {
            size_t at = i * form->features + c;
            double pull = form->forces[at] - form->ridge * weights[c];
            form->asks[i] = weights[c] + pull / (form->energies[at] + form->ridge);
        }
        uint32_t piece = UINT32_MAX;
        largest = fmax(largest, fabs(linex_wide_median(form, &piece) - weights[c]));
    }
    return largest / form->gamma;
}

/* Computes pieces and medians at an evaluated s, and remembers s if it is the best so far. */
static void look(linex_wide_form *form, linex_wide_rung *rung)
{
    rung->changes = linex_wide_ask(form, rung->pieces, rung->medians);
    double distance = linex_wide_distance(form, rung->weights);
    if (!(distance < rung->best)) return;
    rung->best = distance;
    memcpy(rung->best_weights, rung->weights, form->features * sizeof *rung->weights);
}

static void start_steps(const linex_wide_form *form, linex_wide_rung *rung, size_t steps)
{
    linex_wide_newton_start(form, rung->weights, rung->medians, rung->pieces, steps, &rung->newton);
}

/* Evaluates the form at s and looks at it. */
static linex_status evaluate(linex_wide_form *form, linex_wide_rung *rung, linex_slice *slice)
{
    linex_status status = linex_wide_evaluate(form, rung->weights, &rung->inner, slice);
    if (status) return status;
    rung->work += linex_wide_evaluation_work(form);
    look(form, rung);
    return LINEX_OK;
}

/* Takes Newton steps. If they fail, sweeps go on from where they led: they only ever get closer. */
static linex_status take_steps(linex_wide_form *form, linex_wide_rung *rung, linex_slice *slice)
{
    linex_wide_newton *newton = &rung->newton;
    linex_status status = linex_wide_newton_advance(form, &rung->system, newton, slice);
    if (status) return status;
    rung->rounds += newton->steps;
    rung->work += (double)newton->trials * linex_wide_evaluation_work(form);
    rung->solved = newton->solved;
    memcpy(rung->weights, newton->weights, form->features * sizeof *rung->weights);
    return LINEX_OK;
}

static linex_status make_sweeps(linex_wide_form *form, linex_wide_rung *rung, linex_slice *slice)
{
    linex_status status =
        linex_wide_sweep_advance(form, rung->near, SWEEPS, rung->weights, &rung->moved, &rung->inner, slice);
    if (status) return status;
    rung->sweeps += SWEEPS;
    rung->rounds += SWEEPS;
    rung->work += SWEEPS * linex_wide_sweep_work(form);
    return LINEX_OK;
}

/* Follows the path. If it reaches its end, Newton steps go on from its pieces. */
static linex_status follow_path(linex_wide_form *form, linex_wide_rung *rung, linex_slice *slice)
{
    linex_status status = linex_wide_path_advance(form, &rung->system, &rung->path, rung->newton.pieces, slice);
    if (status) return status;
    rung->rounds += rung->path.corners;
    rung->work += (double)rung->path.corners * linex_wide_corner_work(form);
    return LINEX_OK;
}

/* What to do after a look: more sweeps or Newton steps. */
static size_t after_look(const linex_wide_form *form, const linex_wide_rung *rung)
{
    bool settling = (double)rung->changes <= SETTLING * (double)form->features;
    return settling || rung->sweeps >= MOST_SWEEPS ? NEWTON : SWEEP;
}

static linex_status advance_stage(linex_wide_form *form, linex_wide_rung *rung, linex_slice *slice)
{
    linex_status status = LINEX_OK;
    size_t next = END;
    switch (rung->at.stage) {
    case ENTER: /* sweeps need y - X s */
        if ((status = evaluate(form, rung, slice))) return status;
        rung->sweeps = 0;
        next = SWEEP;
        break;
    case SWEEP:
        if ((status = make_sweeps(form, rung, slice))) return status;
        next = LOOK;
        break;
    case LOOK:
        if ((status = evaluate(form, rung, slice))) return status;
        next = after_look(form, rung);
        if (next == NEWTON) start_steps(form, rung, STEPS);
        break;
    case NEWTON:
        if ((status = take_steps(form, rung, slice))) return status;
        next = rung->solved ? END : ++rung->attempts < rung->effort.attempts ? ENTER : BEFORE_PATH;
        break;
    case BEFORE_PATH:
        if ((status = evaluate(form, rung, slice)) || (status = linex_wide_path_open(form, &rung->path)))
            return status;
        linex_wide_path_start(form, rung->weights, rung->medians, rung->effort.corners, &rung->path);
        start_steps(form, rung, STEPS_AFTER_PATH);
        next = PATH;
        break;
    case PATH:
        if ((status = follow_path(form, rung, slice))) return status;
        next = rung->path.reached ? LAST_STEPS : END;
        break;
    case LAST_STEPS:
        if ((status = take_steps(form, rung, slice))) return status;
        break;
    }
    rung->at.stage = next;
    return LINEX_OK;
}

linex_status linex_wide_rung_advance(linex_wide_form *form, linex_wide_rung *rung, linex_slice *slice)
{
    while (rung->at.stage != END) {
        linex_status status = advance_stage(form, rung, slice);
        if (status) return status;
    }
    return LINEX_OK;
}
