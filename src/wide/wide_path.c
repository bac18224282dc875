/* wide_path.c: follows the exact path of a wide game's equations from any point to an equilibrium. */
#include "wide/wide_path.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "wide/lu.h"
#include "matrices/matrix.h"
#include "matrices/products.h"

enum { FACTOR, LOCATE, TILT };

/* A path that runs back this far does not return in reasonable time. */
static const double EARLIEST = -50;

linex_status linex_wide_path_open(const linex_wide_form *form, linex_wide_path *path)
{
    size_t samples = form->samples, pairs = form->players * form->features;
    if (path->memory) return LINEX_OK;
    path->memory = linex_alloc_doubles((2.0 * LINEX_PATH_TERMS + 4) * (double)samples + 2.0 * (double)pairs);
    path->sides = linex_alloc_items((double)form->features * (double)(2 * form->players + 1), sizeof *path->sides);
    if (!path->memory || !path->sides) return LINEX_NO_MEMORY;
    double *next = path->memory;
    path->lefts = next, next += LINEX_PATH_TERMS * samples;
    path->rights = next, next += LINEX_PATH_TERMS * samples;
    path->base = next, next += samples;
    path->toward = next, next += samples;
    path->slope = next, next += samples;
    path->vector = next, next += samples;
    path->asks = next, next += pairs;
    path->ask_slopes = next;
    return LINEX_OK;
}

void linex_wide_path_close(linex_wide_path *path)
{
    free(path->memory);
    free(path->sides);
    *path = (linex_wide_path){0};
}

double linex_wide_corner_work(const linex_wide_form *form)
{
    double samples = (double)form->samples, features = (double)form->features;
    return (double)form->players * samples * features + samples * samples * (2 + samples / (3.0 * LINEX_PATH_TERMS));
}

/* Number e of a feature: what player e asks for, or a number of the grid. */
static double number_of(const linex_wide_form *form, const linex_wide_path *path, size_t e, size_t c)
{
    if (e < form->players) return path->asks[e * form->features + c];
    return linex_wide_grid(form, e - form->players);
}

static double slope_of(const linex_wide_form *form, const linex_wide_path *path, size_t e, size_t c)
{
    return e < form->players ? path->ask_slopes[e * form->features + c] : 0;
}

void linex_wide_path_start(const linex_wide_form *form, const double *weights, const double *medians, size_t most,
                           linex_wide_path *path)
{
    size_t samples = form->samples;
    path->at = path->inner = (linex_cursor){0};
    path->reached = false;
    path->corners = path->terms = 0;
    path->most = most;
    path->time = 0;
    path->onward = 1;
    memset(path->toward, 0, samples * sizeof *path->toward);
    for (size_t c = 0; c < form->features; c++)
        linex_add_scaled(samples, weights[c] - medians[c], form->columns + c * samples, path->toward);
    for (size_t j = 0; j < samples; j++) path->base[j] = form->answers[j] - path->toward[j];
}

/* Fills the sides from the asks. A number that equals the median counts as above it. */
static void take_sides(const linex_wide_form *form, const uint32_t *pieces, linex_wide_path *path)
{
    size_t numbers = 2 * form->players + 1;
    for (size_t c = 0; c < form->features; c++) {
        double median = number_of(form, path, pieces[c], c);
        for (size_t e = 0; e < numbers; e++)
            path->sides[c * numbers + e] = number_of(form, path, e, c) < median ? -1 : 1;
    }
}

/* x = J^-1 x, with the factors and the terms. */
static void solve(const linex_wide_form *form, linex_wide_system *system, const linex_wide_path *path, double *x)
{
    size_t samples = form->samples;
    linex_lu_solve(samples, system->factors, system->order, x, system->scratch);
    for (size_t t = 0; t < path->terms; t++) {
        double factor = linex_dot(samples, path->rights + t * samples, x) / path->dots[t];
        linex_add_scaled(samples, -factor, path->lefts + t * samples, x);
    }
}

/* asks = x_c'C_i rho for every player and feature, in slices. form->pushes is C_i rho. */
static linex_status take_asks(linex_wide_form *form, double *asks, linex_cursor *at, linex_slice *slice)
{
    size_t samples = form->samples, features = form->features;
    if (at->row == 0) memset(asks, 0, form->players * features * sizeof *asks);
    for (; at->row < features; at->row += 16) {
        if (linex_slice_ended(slice)) return LINEX_UNFINISHED;
        size_t count = features - at->row < 16 ? features - at->row : 16;
        linex_products_add(samples, form->players, form->pushes, samples, count, form->columns + at->row * samples,
                           samples, asks + at->row, features);
        linex_slice_use(slice, 16.0 * (double)samples * (double)form->players);
    }
    for (size_t i = 0; i < form->players * features; i++)
        if (form->energies[i] == 0) asks[i] = 0;
    *at = (linex_cursor){0};
    return LINEX_OK;
}

typedef struct {
    double distance;
    size_t feature, number;
} corner;

/* The first number that reaches the median of its feature. */
static corner find_corner(const linex_wide_form *form, const linex_wide_path *path, const uint32_t *pieces)
{
    size_t numbers = 2 * form->players + 1;
    corner first = {(double)INFINITY, 0, 0};
    for (size_t c = 0; c < form->features; c++) {
        double median = number_of(form, path, pieces[c], c), slope = slope_of(form, path, pieces[c], c);
        for (size_t e = 0; e < numbers; e++) {
            if (e == pieces[c]) continue;
            double side = path->sides[c * numbers + e];
            double rate = side * (slope - slope_of(form, path, e, c)) * path->onward;
            double gap = fmax(0, side * (number_of(form, path, e, c) - median));
            if (rate > 1e-300 && gap < first.distance * rate) first = (corner){gap / rate, c, e};
        }
    }
    return first;
}

/* Writes v = C_new x_c - C_old x_c. */
static void take_change(const linex_wide_form *form, size_t c, size_t new, size_t old, double *v)
{
    size_t samples = form->samples;
    const double *column = form->columns + c * samples;
    memset(v, 0, samples * sizeof *v);
    for (size_t step = 0; step < 2; step++) {
        size_t player = step ? old : new;
        if (player >= form->players) continue;
        const double *weights = form->weights + player * samples;
        double mean = form->means[player * form->features + c], sign = step ? -1 : 1;
        for (size_t j = 0; j < samples; j++) v[j] += sign * (weights[j] * (column[j] - mean));
    }
}

/* What a player asks for feature c per unit of the slope. */
static double slope_at(linex_wide_form *form, const linex_wide_path *path, size_t e, size_t c)
{
    size_t samples = form->samples;
    if (e >= form->players || form->energies[e * form->features + c] == 0) return 0;
    take_change(form, c, e, form->players, form->left);
    return linex_dot(samples, form->left, path->slope);
}

/* Passes a corner: another number is now the median. The old median must move away from it to the side where the other
 * number was before; that says which way time runs. Returns false if the matrix becomes singular. */
static bool pass_corner(linex_wide_form *form, linex_wide_system *system, linex_wide_path *path, corner next,
                        uint32_t *pieces)
{
    size_t samples = form->samples, c = next.feature, numbers = 2 * form->players + 1, old = pieces[c];
    for (size_t i = 0; i < form->players * form->features; i++)
        path->asks[i] += next.distance * path->onward * path->ask_slopes[i];
    path->time += next.distance * path->onward;
    signed char side = path->sides[c * numbers + next.number];
    pieces[c] = (uint32_t)next.number;
    path->sides[c * numbers + old] = side;
    double *left = path->lefts + path->terms * samples, *right = path->rights + path->terms * samples;
    memcpy(left, form->columns + c * samples, samples * sizeof *left);
    solve(form, system, path, left);
    take_change(form, c, next.number, old, right);
    double dot = 1 + linex_dot(samples, right, left);
    if (!(fabs(dot) > 1e-12) || !isfinite(dot)) return false;
    linex_add_scaled(samples, -linex_dot(samples, right, path->slope) / dot, left, path->slope);
    path->dots[path->terms++] = dot;
    path->corners++;
    double apart = slope_at(form, path, next.number, c) - slope_at(form, path, old, c);
    path->onward = -side * apart > 0 ? 1 : -1;
    return true;
}

/* Locates rho at the present time, after the matrix was factored. */
static void locate(linex_wide_form *form, linex_wide_system *system, linex_wide_path *path, const uint32_t *pieces)
{
    size_t samples = form->samples;
    path->terms = 0;
    linex_wide_system_side(form, pieces, path->vector);
    for (size_t j = 0; j < samples; j++)
        path->vector[j] += (path->base[j] - form->answers[j]) + path->time * path->toward[j];
    solve(form, system, path, path->vector);
    linex_wide_push(form, path->vector, form->pushes);
    memcpy(path->slope, path->toward, samples * sizeof *path->slope);
    solve(form, system, path, path->slope);
}

linex_status linex_wide_path_advance(linex_wide_form *form, linex_wide_system *system, linex_wide_path *path,
                                     uint32_t *pieces, linex_slice *slice)
{
    linex_cursor *at = &path->at;
    for (;;) {
        if (at->stage == FACTOR) {
            linex_status status = linex_wide_system_factor(form, pieces, true, system, slice);
            if (status == LINEX_DEGENERATE) return LINEX_OK;
            if (status) return status;
            locate(form, system, path, pieces);
            at->stage = LOCATE;
        }
        if (at->stage == LOCATE) {
            if (take_asks(form, path->asks, &path->inner, slice)) return LINEX_UNFINISHED;
            if (path->corners == 0) take_sides(form, pieces, path);
            linex_wide_push(form, path->slope, form->pushes);
            at->stage = TILT;
        }
        if (take_asks(form, path->ask_slopes, &path->inner, slice)) return LINEX_UNFINISHED;
        corner next = find_corner(form, path, pieces);
        if (path->onward > 0 && path->time + next.distance >= 1) {
            path->reached = true;
            return LINEX_OK;
        }
        if (!isfinite(next.distance) || path->corners == path->most || path->time < EARLIEST) return LINEX_OK;
        if (!pass_corner(form, system, path, next, pieces)) return LINEX_OK;
        linex_slice_use(slice, 3.0 * (double)form->samples * (double)form->samples);
        linex_wide_push(form, path->slope, form->pushes);
        if (path->terms == LINEX_PATH_TERMS) at->stage = FACTOR;
    }
}
