/* wide_system.c: the linear system of a wide game whose pieces are known. */
#include "wide/wide_system.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "wide/lu.h"
#include "matrices/matrix.h"
#include "matrices/products.h"

enum { ROWS = 16 };

linex_status linex_wide_system_open(const linex_wide_form *form, double *panel, linex_wide_system *system)
{
    double features = (double)form->features, samples = (double)form->samples, large = fmax(features, samples);
    *system = (linex_wide_system){.panel = panel};
    system->targets = linex_alloc_doubles((double)form->players * features);
    system->side = linex_alloc_doubles(2 * large);
    system->row_pieces = linex_alloc_items(4 * features + samples, sizeof *system->row_pieces);
    if (!system->targets || !system->side || !system->row_pieces) return LINEX_NO_MEMORY;
    system->scratch = system->side + (size_t)large;
    system->joint_pieces = system->row_pieces + form->features;
    system->changed = system->joint_pieces + form->features;
    system->active = system->changed + form->features;
    system->where = system->active + form->features;
    for (size_t c = 0; c < form->features; c++) system->row_pieces[c] = system->joint_pieces[c] = UINT32_MAX;
    return LINEX_OK;
}

void linex_wide_system_close(linex_wide_system *system)
{
    free(system->rows);
    free(system->joint);
    free(system->factors);
    free(system->order);
    free(system->row_pieces);
    free(system->targets);
    free(system->side);
    *system = (linex_wide_system){0};
}

static linex_status allocate(const linex_wide_form *form, linex_wide_system *system)
{
    double features = (double)form->features, samples = (double)form->samples;
    if (!system->by_samples && !system->rows) system->rows = linex_alloc_doubles(features * features);
    if (system->by_samples && !system->joint) system->joint = linex_alloc_doubles(samples * samples);
    if (!(system->by_samples ? system->joint : system->rows)) return LINEX_NO_MEMORY;
    if (system->size <= system->factor_size) return LINEX_OK;
    size_t largest = system->by_samples ? form->samples : form->features;
    size_t wanted = !system->by_samples && form->samples < largest ? form->samples : largest;
    free(system->factors);
    free(system->order);
    system->factors = linex_alloc_doubles((double)wanted * (double)wanted);
    system->order = linex_alloc_items((double)wanted, sizeof *system->order);
    system->factor_size = system->factors && system->order ? wanted : 0;
    return system->factor_size ? LINEX_OK : LINEX_NO_MEMORY;
}

/* Lists the features whose part of the matrix belongs to another piece. */
static void list_changes(const linex_wide_form *form, const uint32_t *pieces, linex_wide_system *system)
{
    size_t players = form->players, count = 0;
    if (system->by_samples) {
        for (size_t c = 0; c < form->features; c++)
            if (system->joint_pieces[c] != pieces[c] && (system->joint_pieces[c] < players || pieces[c] < players))
                count++;
        if (count >= system->active_count) {
            for (size_t c = 0; c < form->features; c++) system->joint_pieces[c] = UINT32_MAX;
            memset(system->joint, 0, form->samples * form->samples * sizeof *system->joint);
        }
    }
    count = 0;
    for (size_t c = 0; c < form->features; c++) {
        uint32_t before = system->by_samples ? system->joint_pieces[c] : system->row_pieces[c];
        bool has_part = pieces[c] < players || (system->by_samples && before < players);
        if (before != pieces[c] && has_part) system->changed[count++] = (uint32_t)c;
    }
    system->changed_count = count;
}

static void begin(const linex_wide_form *form, const uint32_t *pieces, bool by_samples, linex_wide_system *system)
{
    size_t active = 0;
    for (size_t c = 0; c < form->features; c++)
        if (pieces[c] < form->players) system->active[active++] = (uint32_t)c;
    system->active_count = active;
    system->by_samples = by_samples || active > form->samples;
    system->size = system->by_samples ? form->samples : active;
}

/* Adds factor * C_i x_c for a chunk's features to the second panel, sample by sample. */
static void pack_player(const linex_wide_form *form, size_t feature, size_t player, double factor, double *to)
{
    const double *column = form->columns + feature * form->samples, *weights = form->weights + player * form->samples;
    double mean = form->means[player * form->features + feature];
    for (size_t j = 0; j < form->samples; j++) to[j * LINEX_CHUNK] += factor * (weights[j] * (column[j] - mean));
}

static void pack_joint(const linex_wide_form *form, const uint32_t *pieces, linex_wide_system *system, size_t first,
                       size_t count)
{
    size_t samples = form->samples;
    double *left = system->panel, *right = left + samples * LINEX_CHUNK;
    memset(right, 0, samples * LINEX_CHUNK * sizeof *right);
    for (size_t t = 0; t < count; t++) {
        size_t c = system->changed[first + t];
        const double *column = form->columns + c * samples;
        for (size_t j = 0; j < samples; j++) left[j * LINEX_CHUNK + t] = column[j];
        if (pieces[c] < form->players) pack_player(form, c, pieces[c], 1, right + t);
        if (system->joint_pieces[c] < form->players) pack_player(form, c, system->joint_pieces[c], -1, right + t);
    }
}

/* joint += the sum over changed features of x_c (C_new x_c - C_old x_c)'. */
static linex_status update_joint(const linex_wide_form *form, const uint32_t *pieces, linex_wide_system *system,
                                 linex_slice *slice)
{
    size_t samples = form->samples;
    linex_cursor *at = &system->inner;
    for (; at->column < system->changed_count; at->column += LINEX_CHUNK, at->row = 0) {
        size_t count = system->changed_count - at->column;
        if (count > LINEX_CHUNK) count = LINEX_CHUNK;
        if (at->row == 0) {
            if (linex_slice_ended(slice)) return LINEX_UNFINISHED;
            pack_joint(form, pieces, system, at->column, count);
            linex_slice_use(slice, 8.0 * (double)count * (double)samples);
        }
        for (; at->row < samples; at->row += ROWS) {
            if (at->row > 0 && linex_slice_ended(slice)) return LINEX_UNFINISHED;
            size_t rows = samples - at->row < ROWS ? samples - at->row : ROWS;
            linex_products_add(count, rows, system->panel + at->row * LINEX_CHUNK, LINEX_CHUNK, samples,
                               system->panel + samples * LINEX_CHUNK, LINEX_CHUNK, system->joint + at->row * samples,
                               samples);
            linex_slice_use(slice, (double)rows * (double)samples * (double)count);
        }
    }
    system->work += (double)samples * (double)samples * (double)system->changed_count;
    *at = (linex_cursor){0};
    return LINEX_OK;
}

/* Sorts the changed features by their new player, and puts the samples of that player into `where`. */
static size_t list_samples(const linex_wide_form *form, size_t player, uint32_t *where)
{
    size_t on = 0;
    for (size_t j = 0; j < form->samples; j++)
        if (form->weights[player * form->samples + j] > 0) where[on++] = (uint32_t)j;
    return on;
}

/* Packs a chunk of a player's samples: all columns, and after them C_i x_c for the player's changed rows. */
static size_t pack_rows(const linex_wide_form *form, const uint32_t *pieces, size_t player, linex_wide_system *system,
                        size_t first, size_t count)
{
    size_t samples = form->samples, features = form->features, rows = 0;
    const double *weights = form->weights + player * samples;
    const uint32_t *where = system->where + first;
    for (size_t c = 0; c < features; c++)
        for (size_t t = 0; t < count; t++) system->panel[c * LINEX_CHUNK + t] = form->columns[c * samples + where[t]];
    double *to = system->panel + features * LINEX_CHUNK;
    for (size_t q = 0; q < system->changed_count; q++) {
        size_t c = system->changed[q];
        if (pieces[c] != player) continue;
        double mean = form->means[player * features + c];
        for (size_t t = 0; t < count; t++)
            to[rows * LINEX_CHUNK + t] = weights[where[t]] * (form->columns[c * samples + where[t]] - mean);
        system->active[rows++] = (uint32_t)c; /* borrowed: `factor` lists the active features again */
    }
    return rows;
}

/* Computes the changed rows of one player after the other. at->stage is the player, at->column the first sample of the
 * chunk and at->row the row within the player's changed rows. */
static linex_status update_rows(const linex_wide_form *form, const uint32_t *pieces, linex_wide_system *system,
                                linex_slice *slice)
{
    size_t features = form->features;
    linex_cursor *at = &system->inner;
    for (; at->stage < form->players; at->stage++, at->column = 0) {
        size_t on = list_samples(form, at->stage, system->where), rows = 0;
        for (size_t q = 0; q < system->changed_count; q++) rows += pieces[system->changed[q]] == at->stage;
        if (rows == 0) continue;
        for (; at->column < on; at->column += LINEX_CHUNK, at->row = 0) {
            size_t count = on - at->column < LINEX_CHUNK ? on - at->column : LINEX_CHUNK;
            if (at->row == 0) {
                if (linex_slice_ended(slice)) return LINEX_UNFINISHED;
                pack_rows(form, pieces, at->stage, system, at->column, count);
                linex_slice_use(slice, 2.0 * (double)count * (double)(features + rows));
            }
            for (; at->row < rows; at->row += 2) {
                if (at->row > 0 && linex_slice_ended(slice)) return LINEX_UNFINISHED;
                size_t two = rows - at->row < 2 ? 1 : 2;
                size_t c = system->active[at->row], next = two == 2 ? system->active[at->row + 1] : c;
                double *row = system->rows + c * features;
                if (at->column == 0) {
                    memset(row, 0, features * sizeof *row);
                    memset(system->rows + next * features, 0, features * sizeof *row);
                }
                linex_products_add(count, two, system->panel + (features + at->row) * LINEX_CHUNK, LINEX_CHUNK,
                                   features, system->panel, LINEX_CHUNK, row, (next - c) * features);
                linex_slice_use(slice, (double)(two * features * count));
            }
        }
        system->work += (double)rows * (double)features * (double)on;
    }
    *at = (linex_cursor){0};
    return LINEX_OK;
}

/* Copies the matrix of the chosen form to where it is factored, and adds the ridge. */
static void fill_factors(const linex_wide_form *form, linex_wide_system *system)
{
    size_t size = system->size;
    for (size_t r = 0; r < size; r++) {
        double *to = system->factors + r * size;
        if (system->by_samples) {
            memcpy(to, system->joint + r * size, size * sizeof *to);
        } else {
            const double *from = system->rows + system->active[r] * form->features;
            for (size_t e = 0; e < size; e++) to[e] = from[system->active[e]];
        }
        to[r] += form->ridge;
    }
}

linex_status linex_wide_system_factor(const linex_wide_form *form, const uint32_t *pieces, bool by_samples,
                                      linex_wide_system *system, linex_slice *slice)
{
    linex_cursor *at = &system->at;
    if (at->stage == 0) {
        begin(form, pieces, by_samples, system);
        linex_status status = allocate(form, system);
        if (status) return status;
        list_changes(form, pieces, system);
        at->stage = 1;
    }
    if (at->stage == 1) {
        if (system->by_samples ? update_joint(form, pieces, system, slice) : update_rows(form, pieces, system, slice))
            return LINEX_UNFINISHED;
        uint32_t *stored = system->by_samples ? system->joint_pieces : system->row_pieces;
        for (size_t c = 0; c < form->features; c++)
            if (system->by_samples || pieces[c] < form->players) stored[c] = pieces[c];
        begin(form, pieces, by_samples, system);
        fill_factors(form, system);
        at->stage = 2;
    }
    linex_status status = linex_lu_advance(system->size, system->factors, system->order, &system->inner, slice);
    if (status == LINEX_UNFINISHED) return status;
    system->work += (double)system->size * (double)system->size * (double)system->size / 3;
    *at = (linex_cursor){0};
    return status;
}

void linex_wide_system_side(const linex_wide_form *form, const uint32_t *pieces, double *side)
{
    memcpy(side, form->answers, form->samples * sizeof *side);
    for (size_t c = 0; c < form->features; c++) {
        if (pieces[c] < form->players) continue;
        double grid = linex_wide_grid(form, pieces[c] - form->players);
        if (grid != 0) linex_add_scaled(form->samples, -grid, form->columns + c * form->samples, side);
    }
}

static void solve_by_features(const linex_wide_form *form, const uint32_t *pieces, linex_wide_system *system,
                              double *weights)
{
    size_t size = system->size, features = form->features;
    for (size_t c = 0; c < features; c++)
        weights[c] = pieces[c] < form->players ? 0 : linex_wide_grid(form, pieces[c] - form->players);
    for (size_t r = 0; r < size; r++) {
        size_t c = system->active[r];
        system->side[r] =
            system->targets[pieces[c] * features + c] - linex_dot(features, system->rows + c * features, weights);
    }
    linex_lu_solve(size, system->factors, system->order, system->side, system->scratch);
    for (size_t r = 0; r < size; r++) weights[system->active[r]] = system->side[r];
}

void linex_wide_system_solve(linex_wide_form *form, const uint32_t *pieces, linex_wide_system *system,
                             double *weights)
{
    if (!system->by_samples) {
        solve_by_features(form, pieces, system, weights);
        return;
    }
    size_t samples = form->samples;
    linex_wide_system_side(form, pieces, system->side);
    linex_lu_solve(samples, system->factors, system->order, system->side, system->scratch);
    linex_wide_push(form, system->side, form->pushes);
    for (size_t c = 0; c < form->features; c++) {
        size_t piece = pieces[c];
        if (piece >= form->players)
            weights[c] = linex_wide_grid(form, piece - form->players);
        else if (form->energies[piece * form->features + c] == 0)
            weights[c] = 0;
        else
            weights[c] = linex_dot(samples, form->columns + c * samples, form->pushes + piece * samples);
    }
}
