/* median_newton.c: Newton steps on the equations that say that s is the median of preferences and limits. */
#include "solvers/median_newton.h"

#include <string.h>

#include "base/sort.h"
#include "matrices/matrix.h"
#include "solvers/sweeps.h"

/* Steps that do not settle soon cycle. */
enum { MAX_STEPS = 16 };

/* The piece of a feature on the grid. */
static const uint32_t ON_GRID = UINT32_MAX;

/* The system is not pivoted, because its rows come from Gram matrices that are alike. If a pivot is below this share of
 * the diagonal, they are not. */
static const double LEAST_PIVOT = 1e-8;

double linex_newton_room(size_t feature_count)
{
    return (double)feature_count * ((double)feature_count + 3);
}

void linex_newton_place(linex_newton *newton, size_t feature_count, double *room)
{
    newton->system = room, room += feature_count * feature_count;
    newton->right = room, room += feature_count;
    newton->changes = room, room += feature_count;
    newton->active = (uint32_t *)(void *)room;
    newton->pieces = newton->active + feature_count;
}

static double preference_of(const linex_game *game, size_t i, size_t c)
{
    size_t at = i * game->feature_count + c;
    return game->weights[c] + game->pull[at] / game->diagonals[at];
}

/* Returns the player whose preference is the median of feature c. If there is none, moves s_c to the grid. */
static uint32_t choose_piece(linex_newton *newton, linex_game *game, size_t c)
{
    size_t players = game->players;
    for (size_t i = 0; i < players; i++) game->preferences[i] = preference_of(game, i, c);
    linex_sort(players, game->preferences);
    double rest = linex_rest_point(players, game->preferences, game->gamma);
    newton->changes[c] = 0;
    for (size_t i = 0; i < players; i++)
        if (preference_of(game, i, c) == rest) return (uint32_t)i;
    newton->changes[c] = rest - game->weights[c];
    game->weights[c] = rest;
    return ON_GRID;
}

static void choose_pieces(linex_newton *newton, linex_game *game)
{
    newton->same = newton->rounds > 0;
    newton->moved = false;
    newton->count = 0;
    for (size_t c = 0; c < game->feature_count; c++) {
        uint32_t piece = choose_piece(newton, game, c);
        newton->same = newton->same && piece == newton->pieces[c];
        newton->moved = newton->moved || newton->changes[c] != 0;
        newton->pieces[c] = piece;
        newton->active[newton->count] = (uint32_t)c;
        newton->count += piece != ON_GRID;
    }
}

/* Subtracts multiples of the rows above from row r, so that only its upper part is left. The factors are kept in its
 * lower part. Four rows at a time, as linex_add_four does. The diagonals above hold reciprocals. */
static void eliminate(const linex_newton *newton, size_t r)
{
    size_t count = newton->count, k = 0;
    double *row = newton->system + r * count;
    for (; k + 4 <= r; k += 4) {
        const double *rows[4];
        double factors[4];
        for (size_t a = 0; a < 4; a++) {
            const double *pivot_row = newton->system + (k + a) * count;
            rows[a] = pivot_row + k + 4;
            for (size_t b = 0; b < a; b++) row[k + a] += factors[b] * newton->system[(k + b) * count + k + a];
            factors[a] = -row[k + a] * pivot_row[k + a];
        }
        linex_add_four(count - k - 4, factors, rows, row + k + 4);
        for (size_t a = 0; a < 4; a++) row[k + a] = -factors[a];
    }
    for (; k < r; k++) {
        const double *pivot_row = newton->system + k * count;
        row[k] *= pivot_row[k];
        linex_add_scaled(count - k - 1, -row[k], pivot_row + k + 1, row + k + 1);
    }
}

/* Factorizes the system row by row. LINEX_DEGENERATE if a pivot is too small. */
static linex_status factorize(linex_newton *newton, const linex_game *game, linex_slice *slice)
{
    size_t count = newton->count;
    for (size_t r = newton->cursor.row; r < count; r = ++newton->cursor.row) {
        if (linex_slice_ended(slice)) return LINEX_UNFINISHED;
        size_t c = newton->active[r];
        const double *gram = linex_game_gram_row(game, newton->pieces[c], c);
        double *row = newton->system + r * count;
        for (size_t a = 0; a < count; a++) row[a] = gram[newton->active[a]];
        eliminate(newton, r);
        if (!(row[r] > LEAST_PIVOT * gram[c])) return LINEX_DEGENERATE;
        row[r] = 1 / row[r];
        linex_slice_use(slice, (double)(r * count));
    }
    newton->cursor.row = 0;
    return LINEX_OK;
}

/* Solves the factorized system in place. */
static void solve(const linex_newton *newton)
{
    size_t count = newton->count;
    double *x = newton->right;
    for (size_t r = 1; r < count; r++) x[r] -= linex_dot(r, newton->system + r * count, x);
    for (size_t r = count; r-- > 0;) {
        const double *row = newton->system + r * count;
        x[r] = (x[r] - linex_dot(count - r - 1, row + r + 1, x + r + 1)) * row[r];
    }
}

/* Moves the active features to what their players prefer. */
static void step(linex_newton *newton, linex_game *game)
{
    size_t feature_count = game->feature_count;
    for (size_t r = 0; r < newton->count; r++) {
        size_t c = newton->active[r], i = newton->pieces[c];
        newton->right[r] = game->pull[i * feature_count + c];
        if (newton->moved)
            newton->right[r] -= linex_dot(feature_count, linex_game_gram_row(game, i, c), newton->changes);
    }
    solve(newton);
    for (size_t r = 0; r < newton->count; r++) game->weights[newton->active[r]] += newton->right[r];
}

linex_status linex_newton_advance(linex_newton *newton, linex_game *game, linex_slice *slice)
{
    size_t feature_count = game->feature_count;
    game->price = 0;
    for (; newton->rounds < MAX_STEPS; newton->rounds++, newton->chosen = false) {
        if (!newton->chosen) {
            linex_status status = linex_pulls_advance(game->players, feature_count, game->grams, game->targets,
                                                      game->weights, game->pull, &newton->cursor, slice);
            if (status) return status;
            choose_pieces(newton, game);
            newton->chosen = true;
        }
        linex_status status = newton->same ? LINEX_OK : factorize(newton, game, slice);
        if (status == LINEX_UNFINISHED) return status;
        if (status) break;
        step(newton, game);
        linex_slice_use(slice, 2.0 * (double)feature_count * (double)feature_count);
        if (newton->same) break; /* this step only removed rounding errors */
    }
    return LINEX_OK;
}
