/* environment_fits.h: the fits of all environments, and their combination by a method, draw by draw. */
#ifndef LINEX_ENVIRONMENT_FITS_H
#define LINEX_ENVIRONMENT_FITS_H

#include "linex.h"
#include "matrices/moments.h"
#include "environments/environments.h"
#include "game/game_solver.h"
#include "environments/groups.h"
#include "wide/wide_game.h"

typedef struct linex_fits linex_fits;
typedef struct linex_outcome linex_outcome;

/* Plays the games of wide fits, in wide_play.c. The fits do not refer to it by name, so that the linker can drop it. */
typedef struct {
    /* draw  0 for the game whose ridge is reported */
    linex_status (*play)(linex_fits *fits, uint64_t draw, linex_outcome *outcome, linex_slice *slice);
    void (*free)(linex_wide *wide_game);
} linex_wide_player;

/* A fit sees `size` columns: the chosen features and, if the intercept plays, a constant after them. */
struct linex_fits {
    const linex_samples *samples;
    const linex_settings *settings;
    const double *totals;  /* count: the weight of all copies of a point */
    const double *answers; /* count: what the model said, for LINEX_SIDES; samples->answers may be adjusted */
    size_t players;        /* for LINEX_METHOD_LIME 2 if the errors come from runs, otherwise 1 */
    size_t size;
    linex_points points; /* count x size, stored as bytes if the samples are */
    bool wide;           /* whether there are few samples per feature: see LINEX_RIDGE_AUTO */
    bool low_rank;       /* whether the game is played without Gram matrices */
    double ridge;
    double shared_ridge;   /* the ridge divided by the weight of all samples, if the errors come from runs */
    double relative_ridge; /* 0 if not wide */
    bool found_ridge;
    double *weights;     /* players x count or players x groups.count: the environments */
    double *grams;       /* players x size x size; empty if low_rank, like the factor */
    double *crosses;     /* players x size */
    double *fits;        /* players x size: the coefficients of each environment alone */
    double *sorted;      /* players */
    double *variances;   /* size: of the columns over all samples; filled by linex_fits_find_errors */
    double *mean;        /* size */
    double *factor;      /* size x size: the Cholesky factor of one fit */
    double *scratch;     /* linex_moments_scratch(size) */
    double *memory;      /* owns the arrays above */
    void *stored_points; /* owns the points */
    linex_environment_settings environments;
    linex_drawing drawing;
    bool calibrated; /* whether the residuals of the answers have the size of the noise: see adjust/calibration.h */
    bool steady;     /* whether the errors come from runs of samples: see linex_explanation */
    bool grouped;    /* whether there are sums over groups (groups.h). Draws of halves are made of them, and so are
                     bootstraps beyond the games */
    linex_groups groups;
    size_t run;                                       /* the next to be left out, after the fit to all runs */
    size_t left_out;                                  /* runs that were left out */
    bool fitted_whole, influenced;                    /* stages of linex_fits_find_errors */
    double whole_total;                               /* the weight of all samples */
    enum { LINEX_DRAW, LINEX_FIT, LINEX_PLAY } stage; /* of the present draw, or of the ridge losses */
    size_t player;                                    /* the next to be fitted */
    linex_cursor moments_cursor, factor_cursor;
    bool factorizing;          /* whether the player's moments are known */
    double total, answer_mean; /* of the player's environment */
    int refits;                /* of linex_fits_ridge_losses */
    linex_game_settings game;
    linex_solving *solving; /* NULL between games */
    const linex_wide_player *wide_player;
    linex_wide *wide_game;  /* NULL between games, and if not low_rank */
    double spent;           /* on the games so far, in multiply-adds */
    double certified_ridge; /* if the first game did not converge: see linex_wide_certified_ridge */
};

/* The result of one draw of the environments. */
struct linex_outcome {
    double *weights;    /* size */
    double *strategies; /* players x size; filled by LINEX_METHOD_LINEX only */
    double gamma;
    linex_game_report report;
};

/* Whether the intercept is free. */
bool linex_fits_are_centered(const linex_settings *settings);

/* Makes room for the fits. Release it with linex_fits_close, also after a failure.
 *
 * samples, settings, totals, answers  kept, not copied
 * chosen                              chosen_count features, ascending
 * keeps_game                          whether the caller wants the Gram matrices of the game
 * wide_player                         NULL if there is none; a low_rank fit is then LINEX_BAD_ARGUMENT */
linex_status linex_fits_open(linex_fits *fits, const linex_samples *samples, const linex_settings *settings,
                             const double *totals, const double *answers, const uint32_t *chosen, size_t chosen_count,
                             bool keeps_game, const linex_wide_player *wide_player);
void linex_fits_close(linex_fits *fits);

/* Returns the most work of the game of this draw, after those that were played: see linex_game_allowance. */
double linex_fits_allowance(const linex_fits *fits, uint64_t draw);

/* Finds the ridge, and sums up the groups if there are any. In slices, as the functions below. */
linex_status linex_fits_prepare(linex_fits *fits, linex_slice *slice);

/* The arrays of player i's moments. */
linex_moments linex_fits_moments(linex_fits *fits, size_t i);

/* Adds up what the ridge takes from the fit of the factorized player. fits->crosses holds the latest refit.
 *
 * sum  size */
linex_status linex_fits_refit(linex_fits *fits, double *sum, linex_slice *slice);

/* In run_errors.c. Fits all samples, and finds how much the fit depends on each run of samples. Only if fits->steady.
 *
 * scratch  2 x size
 * whole    size: the fit to all samples
 * errors   size: its standard errors; not filled if there are no draws
 * losses   size: the fit without the ridge, less the fit; not filled if there are no draws
 * LINEX_DEGENERATE if the fit to all samples is singular. */
linex_status linex_fits_find_errors(linex_fits *fits, double *scratch, double *whole, double *errors, double *losses,
                                    linex_slice *slice);

/* Returns the weight that the environments of the latest draw agree on. Without a game, it is the rest point of what
 * each of them prefers. */
double linex_fits_agreed(const linex_fits *fits, const linex_outcome *outcome, size_t c);

/* Returns whether the latest draw says something about column c: it varies in every environment. On one side of a plane
 * a word may always be there, and this side then knows nothing about it. True for other environments than sides. */
bool linex_fits_inform(const linex_fits *fits, size_t c);

/* Draws the environments, fits each and combines the fits by the method. Draws of bootstraps below settings->games are
 * draws of samples; later ones may be draws of groups.
 *
 * outcome  its arrays belong to the caller */
linex_status linex_fits_draw(linex_fits *fits, uint64_t draw, linex_outcome *outcome, linex_slice *slice);

/* Copies the first game to the arrays of the explanation, if the caller wants them. */
void linex_fits_keep_game(const linex_fits *fits, linex_explanation *explanation);

/* Adds a share of one game's outcome to the mean of several. */
void linex_outcome_add(const linex_fits *fits, const linex_outcome *outcome, double share, linex_outcome *mean);

/* Finds, for each column, the largest amount by which the ridge shrinks the fit of any environment. Refitting the
 * remainder recovers it:
 *
 *     unridged = sum over j >= 0 of (ridge (X'WX + ridge I)^-1)^j ridged.
 *
 * A fit without the ridge is not used, because it does not exist if the points do not determine it. The draws do not
 * show this loss, because each draw has it.
 *
 * scratch  size
 * losses   size
 * Overwrites the environments and their moments. */
linex_status linex_fits_ridge_losses(linex_fits *fits, double *scratch, double *losses, linex_slice *slice);

#endif
