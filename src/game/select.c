/* select.c: chooses the features that may get a weight. */
#include "game/select.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/points.h"
#include "matrices/factors.h"
#include "matrices/matrix.h"
#include "matrices/moments.h"
#include "solvers/equilibrium_path.h"

/* LIME's library fits all features with this ridge before it takes the highest weights. */
static const double HIGHEST_RIDGE = 0.01;
enum { FORWARD_UP_TO = 6, MAX_CORNERS_PER_FEATURE = 50 };

/* Up to these numbers of features, in all and per chosen feature, the whole Gram matrix is computed. It costs less
 * than the single rows that forward selection needs, because there is a fast kernel for it. */
enum { MAX_GRAM_FEATURES = 64, MAX_GRAM_FEATURES_PER_CHOICE = 10 };

/* Forward selection. */
typedef struct {
    double *variance; /* feature_count */
    double *left;     /* feature_count: the variance that the chosen features do not explain */
    double *pull;     /* feature_count: the covariance with the remainder of the answers */
    double *rows;     /* most x feature_count: what each chosen feature explains of the others */
    double *own;      /* most: what was left of the chosen feature itself */
    double *memory;   /* owns the arrays above; NULL before the start */
    size_t most, chosen;
    size_t taking; /* the feature whose row is being computed */
    enum { FIND_VARIANCES, FIND_PULLS, CHOOSE, TAKE_ROW } stage;
} forward_choice;

enum stage { FIND_CONSTANT, DECIDE, TAKE_MEANS, TAKE_MOMENTS, GO_FORWARD, FACTORIZE, FOLLOW_LASSO, LIST };

struct linex_selecting {
    linex_selection selection;
    const linex_points *points;
    const double *answers, *weights;
    bool centered;
    const double *at;
    size_t features;
    uint32_t *chosen;
    size_t *chosen_count;
    enum stage stage;
    linex_cursor cursor;
    linex_moments moments; /* the Gram matrix is NULL if the selection does not need all of it */
    double *numbers;       /* owns the means and the scratch of the moments */
    double *gram;          /* owns the Gram matrix and the cross products */
    bool *constant;        /* feature_count: features that do not vary; owns `taken` too */
    bool *taken;           /* feature_count */
    forward_choice forward;
    linex_path *path;
    size_t corners; /* of the lasso path */
    bool ended;     /* whether it is at its end */
};

/* Samples per unit of work. */
enum { ROWS = 64 };

/* row[c] = the weighted covariance of features c and q, or of feature c and the answers if q is feature_count. */
static linex_status covariances(linex_selecting *selecting, size_t q, double *row, linex_slice *slice)
{
    const linex_points *points = selecting->points;
    const linex_moments *moments = &selecting->moments;
    size_t feature_count = points->feature_count;
    if (moments->gram) {
        memcpy(row, q < feature_count ? moments->gram + q * feature_count : moments->cross,
               feature_count * sizeof *row);
        return LINEX_OK;
    }
    if (selecting->cursor.row == 0) memset(row, 0, feature_count * sizeof *row);
    for (; selecting->cursor.row < points->count; selecting->cursor.row++) {
        size_t i = selecting->cursor.row;
        if (i % ROWS == 0 && i > 0 && linex_slice_ended(slice)) return LINEX_UNFINISHED;
        if (selecting->weights[i] == 0) continue;
        const double *point = linex_points_row(points, i, moments->scratch);
        double second =
            q < feature_count ? point[q] - moments->mean[q] : selecting->answers[i] - moments->answer_mean;
        double pull = selecting->weights[i] * second;
        for (size_t c = 0; c < feature_count; c++) row[c] += pull * (point[c] - moments->mean[c]);
        linex_slice_use(slice, 2.0 * (double)feature_count);
    }
    selecting->cursor.row = 0;
    for (size_t c = 0; c < feature_count; c++) row[c] /= moments->total;
    return LINEX_OK;
}

static linex_status variances(linex_selecting *selecting, double *row, linex_slice *slice)
{
    const linex_moments *moments = &selecting->moments;
    const linex_points *points = selecting->points;
    size_t feature_count = points->feature_count;
    if (moments->gram) {
        for (size_t c = 0; c < feature_count; c++) row[c] = moments->gram[c * feature_count + c];
        return LINEX_OK;
    }
    for (; selecting->cursor.row < points->count; selecting->cursor.row++) {
        size_t i = selecting->cursor.row;
        if (i % ROWS == 0 && i > 0 && linex_slice_ended(slice)) return LINEX_UNFINISHED;
        const double *point = linex_points_row(points, i, moments->scratch);
        for (size_t c = 0; c < feature_count; c++) {
            double off = point[c] - moments->mean[c];
            row[c] += selecting->weights[i] * off * off;
        }
        linex_slice_use(slice, 2.0 * (double)feature_count);
    }
    selecting->cursor.row = 0;
    for (size_t c = 0; c < feature_count; c++) row[c] /= moments->total;
    return LINEX_OK;
}

/* Returns the feature that explains most of the remainder of the answers; feature_count if none does. */
static size_t best_of(const linex_selecting *selecting)
{
    const forward_choice *forward = &selecting->forward;
    size_t feature_count = selecting->points->feature_count, best = feature_count;
    double most = -1;
    for (size_t c = 0; c < feature_count; c++) {
        if (selecting->taken[c] || selecting->constant[c]) continue;
        if (!(forward->left[c] > 64 * DBL_EPSILON * forward->variance[c])) continue;
        double explained = forward->pull[c] * forward->pull[c] / forward->left[c];
        if (explained > most + 64 * DBL_EPSILON * fabs(most)) { /* of equal features, takes the first one */
            most = explained;
            best = c;
        }
    }
    return best;
}

static linex_status open_forward(linex_selecting *selecting)
{
    forward_choice *forward = &selecting->forward;
    size_t feature_count = selecting->points->feature_count;
    forward->most = selecting->features < feature_count ? selecting->features : feature_count;
    double *next = linex_alloc_doubles((double)feature_count * (double)(forward->most + 3) + (double)forward->most);
    if (!next) return LINEX_NO_MEMORY;
    forward->memory = next;
    forward->variance = next, next += feature_count;
    forward->left = next, next += feature_count;
    forward->pull = next, next += feature_count;
    forward->rows = next, next += forward->most * feature_count;
    forward->own = next;
    return LINEX_OK;
}

/* Removes what the newly chosen feature explains from all others. Its row holds its covariances. */
static void remove_explained(linex_selecting *selecting)
{
    forward_choice *forward = &selecting->forward;
    size_t feature_count = selecting->points->feature_count, step = forward->chosen, best = forward->taking;
    double *row = forward->rows + step * feature_count;
    for (size_t before = 0; before < step; before++) {
        const double *earlier = forward->rows + before * feature_count;
        linex_add_scaled(feature_count, -earlier[best] / forward->own[before], earlier, row);
    }
    forward->own[step] = forward->left[best];
    double factor = forward->pull[best] / forward->own[step];
    for (size_t c = 0; c < feature_count; c++) {
        forward->left[c] -= row[c] * row[c] / forward->own[step];
        forward->pull[c] -= factor * row[c];
    }
}

/* Trying each remaining feature in a least-squares fit would cost one fit per feature. Instead, what the chosen
 * features explain is removed from all others. The gain of a feature is then one division. This needs one row of the
 * Gram matrix per choice, not the whole matrix, which is too large for a text of thousands of words. */
static linex_status go_forward(linex_selecting *selecting, linex_slice *slice)
{
    forward_choice *forward = &selecting->forward;
    size_t feature_count = selecting->points->feature_count;
    if (!forward->memory && open_forward(selecting)) return LINEX_NO_MEMORY;
    if (forward->stage == FIND_VARIANCES) {
        if (variances(selecting, forward->variance, slice)) return LINEX_UNFINISHED;
        memcpy(forward->left, forward->variance, feature_count * sizeof *forward->left);
        forward->stage = FIND_PULLS;
    }
    if (forward->stage == FIND_PULLS) {
        if (covariances(selecting, feature_count, forward->pull, slice)) return LINEX_UNFINISHED;
        forward->stage = CHOOSE;
    }
    for (; forward->chosen < forward->most; forward->chosen++) {
        if (forward->stage == CHOOSE) {
            if (linex_slice_ended(slice)) return LINEX_UNFINISHED;
            forward->taking = best_of(selecting);
            if (forward->taking == feature_count) break;
            selecting->taken[forward->taking] = true;
            forward->stage = TAKE_ROW;
        }
        double *row = forward->rows + forward->chosen * feature_count;
        if (covariances(selecting, forward->taking, row, slice)) return LINEX_UNFINISHED;
        remove_explained(selecting);
        linex_slice_use(slice, (double)(forward->chosen + 4) * (double)feature_count);
        forward->stage = CHOOSE;
    }
    return LINEX_OK;
}

/* Takes the features with the largest weights of the factorized fit. Overwrites the cross products. */
static void take_highest(linex_selecting *selecting)
{
    size_t feature_count = selecting->points->feature_count;
    double *sizes = selecting->moments.cross;
    linex_cholesky_solve(feature_count, selecting->moments.gram, sizes);
    for (size_t c = 0; c < feature_count; c++) sizes[c] = fabs(sizes[c] * selecting->at[c]);
    for (size_t step = 0; step < selecting->features; step++) {
        size_t best = feature_count;
        for (size_t c = 0; c < feature_count; c++)
            if (!selecting->taken[c] && !selecting->constant[c] && (best == feature_count || sizes[c] > sizes[best]))
                best = c;
        if (best == feature_count) break;
        selecting->taken[best] = true;
    }
}

/* Fits all features. Overwrites the Gram matrix with its factor, because it is the largest array. */
static linex_status factorize(linex_selecting *selecting, linex_slice *slice)
{
    linex_status status =
        linex_cholesky_advance(selecting->points->feature_count, selecting->moments.gram, &selecting->cursor, slice);
    if (!status) take_highest(selecting);
    return status;
}

/* Takes the nonzero features of the last corner that does not have too many. A singular Gram matrix ends the path
 * early, as in LIME's library. */
static linex_status follow_lasso(linex_selecting *selecting, linex_slice *slice)
{
    size_t feature_count = selecting->points->feature_count;
    const linex_moments *moments = &selecting->moments;
    if (!selecting->path)
        selecting->path = linex_path_new(1, feature_count, moments->gram, moments->cross, (double)INFINITY, 0);
    if (!selecting->path) return LINEX_NO_MEMORY;
    for (; !selecting->ended && selecting->corners < MAX_CORNERS_PER_FEATURE * feature_count; selecting->corners++) {
        linex_status status = linex_path_step(selecting->path, (double)INFINITY, &selecting->ended, slice);
        if (status == LINEX_UNFINISHED) return status;
        if (status) break;
        const double *weights = linex_path_weights(selecting->path);
        size_t nonzero = 0;
        for (size_t c = 0; c < feature_count; c++) nonzero += weights[c] != 0;
        if (nonzero == 0 || nonzero > selecting->features) continue;
        for (size_t c = 0; c < feature_count; c++) selecting->taken[c] = weights[c] != 0;
    }
    return LINEX_OK;
}

static bool any(size_t feature_count, const bool *flags)
{
    for (size_t c = 0; c < feature_count; c++)
        if (flags[c]) return true;
    return false;
}

/* Finds the features that have a single value among the samples with a weight. */
static linex_status find_constant(linex_selecting *selecting, linex_slice *slice)
{
    const linex_points *points = selecting->points;
    const double *weights = selecting->weights;
    size_t first = 0, feature_count = points->feature_count;
    double *scratch = selecting->moments.scratch;
    while (first < points->count && weights[first] == 0) first++;
    if (selecting->cursor.row == 0)
        for (size_t c = 0; c < feature_count; c++) selecting->constant[c] = true;
    if (first == points->count) return LINEX_OK;
    const double *start = linex_points_row(points, first, scratch);
    if (selecting->cursor.row == 0) selecting->cursor.row = first + 1;
    for (; selecting->cursor.row < points->count; selecting->cursor.row++) {
        size_t i = selecting->cursor.row;
        if (i % ROWS == 0 && linex_slice_ended(slice)) return LINEX_UNFINISHED;
        if (weights[i] == 0) continue;
        const double *point = linex_points_row(points, i, scratch + feature_count);
        for (size_t c = 0; c < feature_count; c++)
            selecting->constant[c] = selecting->constant[c] && point[c] == start[c];
        linex_slice_use(slice, (double)feature_count);
    }
    selecting->cursor.row = 0;
    return LINEX_OK;
}

/* Clears the moments of features that do not vary. Without centering, a constant would seem to explain a lot. */
static void clear_constant(size_t feature_count, const bool *constant, linex_moments *moments)
{
    for (size_t c = 0; c < feature_count; c++) {
        if (!constant[c]) continue;
        moments->cross[c] = 0;
        for (size_t d = 0; d < feature_count; d++)
            moments->gram[c * feature_count + d] = moments->gram[d * feature_count + c] = 0;
    }
}

/* Chooses how to select, and makes room for it. */
static linex_status decide(linex_selecting *selecting)
{
    size_t feature_count = selecting->points->feature_count, varying = 0, features = selecting->features;
    for (size_t c = 0; c < feature_count; c++) varying += !selecting->constant[c];
    if (selecting->selection == LINEX_SELECT_LEADING && features > 0 && features < LINEX_MOST_PLAYING)
        features = selecting->features = LINEX_MOST_PLAYING;
    bool all = selecting->selection == LINEX_SELECT_NONE || features == 0;
    if (all || (features >= varying && selecting->selection != LINEX_SELECT_LASSO)) {
        for (size_t c = 0; c < feature_count; c++) selecting->taken[c] = !selecting->constant[c];
        selecting->stage = LIST;
        return LINEX_OK;
    }
    if (selecting->selection == LINEX_SELECT_LEADING) selecting->selection = LINEX_SELECT_FORWARD;
    if (selecting->selection == LINEX_SELECT_AUTO)
        selecting->selection = features <= FORWARD_UP_TO ? LINEX_SELECT_FORWARD : LINEX_SELECT_HIGHEST;
    bool small = feature_count <= MAX_GRAM_FEATURES && feature_count <= MAX_GRAM_FEATURES_PER_CHOICE * features;
    selecting->stage = selecting->selection == LINEX_SELECT_FORWARD && !small ? TAKE_MEANS : TAKE_MOMENTS;
    if (selecting->stage == TAKE_MEANS) return LINEX_OK;
    selecting->gram = linex_alloc_doubles((double)feature_count * (double)(feature_count + 1));
    if (!selecting->gram) return LINEX_NO_MEMORY;
    selecting->moments.gram = selecting->gram;
    selecting->moments.cross = selecting->gram + feature_count * feature_count;
    return LINEX_OK;
}

static linex_status take_moments(linex_selecting *selecting, linex_slice *slice)
{
    linex_status status =
        linex_moments_advance(selecting->points, selecting->answers, selecting->weights, selecting->centered, 0,
                              &selecting->moments, &selecting->cursor, slice);
    if (status) return status;
    size_t feature_count = selecting->points->feature_count;
    clear_constant(feature_count, selecting->constant, &selecting->moments);
    selecting->stage = GO_FORWARD;
    if (selecting->selection == LINEX_SELECT_HIGHEST) {
        for (size_t c = 0; c < feature_count; c++)
            selecting->moments.gram[c * feature_count + c] += HIGHEST_RIDGE / selecting->moments.total;
        selecting->stage = FACTORIZE;
    }
    if (selecting->selection == LINEX_SELECT_LASSO) selecting->stage = FOLLOW_LASSO;
    return LINEX_OK;
}

/* Does the present stage and chooses the next one. */
static linex_status advance_stage(linex_selecting *selecting, linex_slice *slice)
{
    linex_status status;
    switch (selecting->stage) {
    case FIND_CONSTANT:
        status = find_constant(selecting, slice);
        selecting->stage = status ? FIND_CONSTANT : DECIDE;
        return status;
    case DECIDE:
        return decide(selecting);
    case TAKE_MEANS:
        status = linex_means_advance(selecting->points, selecting->answers, selecting->weights, selecting->centered,
                                     &selecting->moments, &selecting->cursor, slice);
        selecting->stage = status ? TAKE_MEANS : GO_FORWARD;
        return status;
    case TAKE_MOMENTS:
        return take_moments(selecting, slice);
    case FOLLOW_LASSO:
        status = follow_lasso(selecting, slice);
        if (status) return status;
        /* If features enter the lasso path together, every corner may have too many. Then choose one by one. */
        selecting->stage = any(selecting->points->feature_count, selecting->taken) ? LIST : GO_FORWARD;
        return LINEX_OK;
    case FACTORIZE:
    case GO_FORWARD:
        status = selecting->stage == FACTORIZE ? factorize(selecting, slice) : go_forward(selecting, slice);
        if (!status) selecting->stage = LIST;
        return status;
    case LIST:
        break;
    }
    return LINEX_OK;
}

linex_status linex_selecting_advance(linex_selecting *selecting, linex_slice *slice)
{
    while (selecting->stage != LIST) {
        linex_status status = advance_stage(selecting, slice);
        if (status) return status;
    }
    for (size_t c = 0; c < selecting->points->feature_count; c++)
        if (selecting->taken[c]) selecting->chosen[(*selecting->chosen_count)++] = (uint32_t)c;
    return LINEX_OK;
}

linex_status linex_selecting_new(linex_selection selection, const linex_points *points, const double *answers,
                                 const double *weights, bool centered, const double *at, size_t features,
                                 uint32_t *chosen, size_t *chosen_count, linex_selecting **selecting)
{
    if (!points || !points->count || !points->feature_count || !points->values == !points->masks)
        return LINEX_BAD_ARGUMENT;
    if (!answers || !weights || !at || !chosen || !chosen_count) return LINEX_BAD_ARGUMENT;
    if (selection < LINEX_SELECT_AUTO || selection > LINEX_SELECT_LEADING) return LINEX_BAD_ARGUMENT;
    size_t feature_count = points->feature_count;
    *chosen_count = 0;
    linex_selecting *made = calloc(1, sizeof *made);
    if (!made) return LINEX_NO_MEMORY;
    *made = (linex_selecting){.selection = selection,
                              .points = points,
                              .answers = answers,
                              .weights = weights,
                              .centered = centered,
                              .at = at,
                              .features = features,
                              .chosen = chosen,
                              .chosen_count = chosen_count};
    made->numbers = linex_alloc_doubles((double)feature_count + linex_moments_scratch(feature_count));
    made->constant = calloc(feature_count, 2 * sizeof *made->constant);
    if (!made->numbers || !made->constant) {
        linex_selecting_free(made);
        return LINEX_NO_MEMORY;
    }
    made->taken = made->constant + feature_count;
    made->moments = (linex_moments){.mean = made->numbers, .scratch = made->numbers + feature_count};
    *selecting = made;
    return LINEX_OK;
}

void linex_selecting_free(linex_selecting *selecting)
{
    if (!selecting) return;
    linex_path_free(selecting->path);
    free(selecting->forward.memory);
    free(selecting->gram);
    free(selecting->numbers);
    free(selecting->constant);
    free(selecting);
}

linex_status linex_select(linex_selection selection, const linex_points *points, const double *answers,
                          const double *weights, bool centered, const double *at, size_t features, uint32_t *chosen,
                          size_t *chosen_count)
{
    /* An explanation has checked its points before. Bytes above 1 would not be converted. */
    if (!points || !linex_points_are_good(points)) return LINEX_BAD_ARGUMENT;
    linex_selecting *selecting = NULL;
    linex_slice slice = linex_slice_endless();
    linex_status status = linex_selecting_new(selection, points, answers, weights, centered, at, features, chosen,
                                              chosen_count, &selecting);
    if (!status) status = linex_selecting_advance(selecting, &slice);
    linex_selecting_free(selecting);
    return status;
}
