/* wide_form.h: a game in the form that needs no matrix of features x features.
 *
 * X are the points (samples x features), y the answers, W_i the weights of player i, and
 *
 *     C_i = W_i - w_i w_i' / sum(w_i)   if the intercept is free, otherwise C_i = W_i.
 *
 * Player i pulls feature c by (x_c'C_i (y - X s) - ridge s_c) / sum(w_i). Only the sign of a pull matters at an
 * equilibrium, so each player's pull may be divided by any positive number. Divided by ridge / sum(w_i), it is the
 * distance between s_c and what player i asks for,
 *
 *     a_ic = x_c'C_i rho,   rho = (y - X s) / ridge.
 *
 * So s is an equilibrium exactly if every s_c is the median of a_1c .. a_kc and the grid -k gamma .. k gamma. The number
 * that is the median of a feature is called its piece: a player, or k + j for the grid's number j. If the pieces are
 * known, s solves a linear system of the size of the samples, or of the features that have a player.
 */
#ifndef LINEX_WIDE_FORM_H
#define LINEX_WIDE_FORM_H

#include <stdint.h>

#include "base/task.h"

/* The game without samples that no player sees, and without features that do not vary. */
typedef struct {
    size_t players, samples, features;
    bool centered;
    double ridge, gamma;
    double *columns;  /* features x samples: the points, minus their means if the intercept is free */
    double *answers;  /* samples: minus their mean if the intercept is free */
    double *weights;  /* players x samples */
    double *totals;   /* players: the sums of the weights; 0 for a player without weight */
    double *means;    /* players x features: the means of the columns; 0 if the intercept is not free */
    double *energies; /* players x features: x_c'C_i x_c, 0 exactly if the feature does not vary for the player */
    double *left;     /* samples: y - X s of the latest linex_wide_evaluate */
    double *pushes;   /* players x samples: C_i (y - X s) of the same */
    double *forces;   /* players x features: x_c'C_i (y - X s) of the same */
    double *asks;     /* players: scratch */
    uint32_t *order;  /* players: scratch */
    uint32_t *kept;   /* features: their numbers among the caller's features */
    uint32_t *seen;   /* samples: their numbers among the caller's samples */
} linex_wide_form;

/* Takes the columns, means and energies from the points. In slices. On entry samples, seen, weights, totals and answers
 * are set. LINEX_OVERFLOW if the squares of a column are too large.
 *
 * scratch  samples */
linex_status linex_wide_prepare(const linex_points *points, linex_wide_form *form, double *scratch, linex_cursor *at,
                                linex_slice *slice);

/* pushes[i] = C_i left, for every player. */
void linex_wide_push(const linex_wide_form *form, const double *left, double *pushes);

/* Computes left, pushes and forces at s. In slices.
 *
 * weights  features: s */
linex_status linex_wide_evaluate(linex_wide_form *form, const double *weights, linex_cursor *at, linex_slice *slice);
double linex_wide_evaluation_work(const linex_wide_form *form);

/* Returns the median of form->asks, what the players ask for one feature, and of the grid. Uses form->order.
 *
 * piece  on entry the piece of the feature before, or any larger number; it stays if it is the median up to rounding */
double linex_wide_median(const linex_wide_form *form, uint32_t *piece);

/* Computes each feature's median of what the players ask for at the latest evaluation, and its piece.
 *
 * pieces   features: on entry the pieces before; on return those now
 * medians  features
 * Returns how many pieces changed. */
size_t linex_wide_ask(const linex_wide_form *form, uint32_t *pieces, double *medians);

/* The number j of the grid -k gamma, -(k-2) gamma, .., k gamma. */
static inline double linex_wide_grid(const linex_wide_form *form, size_t j)
{
    return (2.0 * (double)j - (double)form->players) * form->gamma;
}

#endif
