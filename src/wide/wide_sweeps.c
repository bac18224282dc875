/* wide_sweeps.c: sets one feature after the other to its players' rest point, without Gram matrices. */
#include "wide/wide_sweeps.h"

#include <string.h>

#include "matrices/matrix.h"
#include "matrices/products.h"

enum { BLOCK = LINEX_WIDE_BLOCK };

static size_t block_size(const linex_wide_form *form, size_t first)
{
    return form->features - first < BLOCK ? form->features - first : BLOCK;
}

linex_status linex_wide_near_advance(const linex_wide_form *form, double *near, double *scratch, linex_cursor *at,
                                     linex_slice *slice)
{
    size_t samples = form->samples, features = form->features;
    if (at->row == 0) memset(near, 0, form->players * features * BLOCK * sizeof *near);
    for (; at->row < features; at->row += BLOCK) {
        if (linex_slice_ended(slice)) return LINEX_UNFINISHED;
        size_t count = block_size(form, at->row);
        const double *columns = form->columns + at->row * samples;
        for (size_t i = 0; i < form->players; i++) {
            for (size_t c = 0; c < count; c++) {
                const double *weights = form->weights + i * samples;
                double mean = form->means[i * features + at->row + c];
                for (size_t j = 0; j < samples; j++)
                    scratch[c * samples + j] = weights[j] * (columns[c * samples + j] - mean);
            }
            linex_products_add(samples, count, scratch, samples, count, columns, samples,
                               near + (i * features + at->row) * BLOCK, BLOCK);
        }
        linex_slice_use(slice, (double)(BLOCK * BLOCK + BLOCK) * (double)samples * (double)form->players);
    }
    *at = (linex_cursor){0};
    return LINEX_OK;
}

double linex_wide_sweep_work(const linex_wide_form *form)
{
    return (1.5 * (double)form->players + 1) * (double)form->samples * (double)form->features;
}

/* Sets the features of one block. form->forces serves as scratch for the block's forces. */
static double visit_block(linex_wide_form *form, const double *near, size_t first, double *weights)
{
    size_t samples = form->samples, features = form->features, players = form->players;
    size_t count = block_size(form, first);
    double changes[BLOCK] = {0}, largest = 0, *forces = form->forces;
    linex_wide_push(form, form->left, form->pushes);
    memset(forces, 0, players * BLOCK * sizeof *forces);
    linex_products_add(samples, players, form->pushes, samples, count, form->columns + first * samples, samples,
                       forces, BLOCK);
    for (size_t c = 0; c < count; c++) {
        double before = weights[first + c];
        for (size_t i = 0; i < players; i++) {
            size_t at = i * features + first + c;
            double force = forces[i * BLOCK + c];
            for (size_t e = 0; e < c; e++) force += changes[e] * near[at * BLOCK + e];
            double energy = form->energies[at];
            if (energy == 0) force = 0;
            form->asks[i] = before + (force - form->ridge * before) / (energy + form->ridge);
        }
        uint32_t piece = UINT32_MAX;
        double change = linex_wide_median(form, &piece) - before;
        weights[first + c] += change;
        changes[c] = -change;
        largest = fmax(largest, fabs(change));
    }
    const double *columns[BLOCK];
    for (size_t c = 0; c < BLOCK; c++) columns[c] = form->columns + (first + (c < count ? c : 0)) * samples;
    if (largest > 0) linex_add_four(samples, changes, columns, form->left);
    return largest;
}

linex_status linex_wide_sweep_advance(linex_wide_form *form, const double *near, size_t sweeps, double *weights,
                                      double *moved, linex_cursor *at, linex_slice *slice)
{
    double work = linex_wide_sweep_work(form) * BLOCK / (double)form->features;
    for (; at->stage < sweeps; at->stage++, at->row = 0) {
        if (at->row == 0) *moved = 0;
        for (; at->row < form->features; at->row += BLOCK) {
            if (linex_slice_ended(slice)) return LINEX_UNFINISHED;
            *moved = fmax(*moved, visit_block(form, near, at->row, weights));
            linex_slice_use(slice, work);
        }
    }
    *at = (linex_cursor){0};
    return LINEX_OK;
}
