/* mask_control_test.c: kriging on masks, compared with dense solutions and with enumeration of all masks. */
#include "kriging/mask_control.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "kriging/mask_kriging.h"

enum { PARTS = 7, MASKS = 1 << PARTS, MOST = 100 };

typedef struct {
    size_t count;
    uint8_t masks[MOST * PARTS];
    double weights[MOST], answers[MOST], sizes[PARTS + 1];
    linex_law law;
    linex_samples samples;
    linex_points points;
} problem;

/* The answers bend, and some parts act together. */
static double answer_to(const uint8_t *mask)
{
    static const double slopes[PARTS] = {2, -1, 0.5, 0.25, 0, 0.75, -0.1};
    double sum = 0;
    for (size_t j = 0; j < PARTS; j++) sum += slopes[j] * mask[j];
    return sum + 0.4 * sum * sum + (mask[1] && mask[4] ? 1.5 : 0) + (mask[0] && !mask[5] ? 0.5 : 0);
}

/* Masks in a fixed order without repetition, by LIME's law for texts or images. */
static void fill(size_t count, linex_mask_kind kind, double size, problem *to)
{
    double distances[MOST];
    to->count = count;
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < PARTS; j++) to->masks[i * PARTS + j] = ((MASKS - 1 + 37 * i) % MASKS >> j) & 1;
        to->answers[i] = size * answer_to(to->masks + i * PARTS);
    }
    double scale = kind == LINEX_MASK_COINS ? 1 : 100, width = kind == LINEX_MASK_COINS ? 0.25 : 25;
    CHECK(!linex_masks_weigh(count, PARTS, to->masks, LINEX_MASK_COSINE, scale, width, distances, to->weights));
    CHECK(!linex_masks_law(kind, PARTS, LINEX_MASK_COSINE, scale, width, to->sizes));
    to->law = (linex_law){.sizes = to->sizes};
    to->points = (linex_points){count, PARTS, NULL, to->masks};
    to->samples = (linex_samples){.count = count,
                                  .feature_count = PARTS,
                                  .masks = to->masks,
                                  .answers = to->answers,
                                  .weights = to->weights,
                                  .planned = count,
                                  .block = 2,
                                  .law = &to->law};
}

/* Solves A x = b by elimination with pivots. A and b are overwritten. */
static void eliminate(size_t size, double *a, double *b)
{
    for (size_t c = 0; c < size; c++) {
        size_t best = c;
        for (size_t r = c + 1; r < size; r++)
            if (fabs(a[r * size + c]) > fabs(a[best * size + c])) best = r;
        for (size_t k = 0; best != c && k < size; k++) {
            double kept = a[c * size + k];
            a[c * size + k] = a[best * size + k], a[best * size + k] = kept;
        }
        double kept = b[c];
        b[c] = b[best], b[best] = kept;
        for (size_t r = 0; r < size; r++) {
            double factor = r == c ? 0 : a[r * size + c] / a[c * size + c];
            for (size_t k = c; factor != 0 && k < size; k++) a[r * size + k] -= factor * a[c * size + k];
            b[r] -= factor * b[c];
        }
    }
    for (size_t c = 0; c < size; c++) b[c] /= a[c * size + c];
}

/* The weighted ridge fit with an intercept. Returns the intercept. */
static double fit(size_t count, const uint8_t *masks, const double *weights, const double *answers, double ridge,
                  double *slopes)
{
    enum { SIZE = PARTS + 1 };
    double gram[SIZE * SIZE] = {0}, cross[SIZE] = {0};
    for (size_t i = 0; i < count; i++) {
        double row[SIZE] = {1};
        for (size_t j = 0; j < PARTS; j++) row[j + 1] = masks[i * PARTS + j];
        for (size_t a = 0; a < SIZE; a++) {
            cross[a] += weights[i] * row[a] * answers[i];
            for (size_t b = 0; b < SIZE; b++) gram[a * SIZE + b] += weights[i] * row[a] * row[b];
        }
    }
    for (size_t a = 1; a < SIZE; a++) gram[a * SIZE + a] += ridge;
    eliminate(SIZE, gram, cross);
    memcpy(slopes, cross + 1, PARTS * sizeof *slopes);
    return cross[0];
}

/* The covariance of two masks without the noise: all of it, and m alone. */
static double covariance(const linex_mask_kriging *kriging, const uint8_t *a, const uint8_t *b, double *rest)
{
    double apart = 0, terms = 0, products = 0, points[2][PARTS], values[2][LINEX_MOST_TERMS],
           neighbors = 3 * PARTS - 5;
    const linex_terms *all = &kriging->terms;
    for (size_t j = 0; j < PARTS; j++) apart += a[j] != b[j] ? kriging->kernel.relevance[j] : 0;
    for (size_t j = 0; j < PARTS; j++) points[0][j] = a[j], points[1][j] = b[j];
    for (size_t v = 0; v < 2; v++) linex_terms_fill(all, 0, points[v], values[v]);
    for (size_t k = 0; k < LINEX_MASK_TERMS; k++) terms += values[0][k] * values[1][k];
    for (size_t k = LINEX_MASK_TERMS; k < LINEX_MASK_TERMS + (size_t)neighbors; k++) {
        for (size_t v = 0; v < 2; v++) {
            values[v][k] -= all->constants[k];
            for (size_t j = 0; j < PARTS; j++) values[v][k] -= all->slopes[k * PARTS + j] * points[v][j];
        }
        products += values[0][k] * values[1][k];
    }
    *rest = linex_mask_kriging_value(kriging, LINEX_MASK_BELLS) *
                exp(-apart / linex_mask_kriging_value(kriging, LINEX_MASK_REACH)) +
            linex_mask_kriging_value(kriging, LINEX_MASK_TERMS_SIZE) * terms / LINEX_MASK_TERMS +
            linex_mask_kriging_value(kriging, LINEX_MASK_PRODUCTS_SIZE) * 4 * products / neighbors;
    return *rest + linex_mask_kriging_constant() +
           linex_mask_kriging_value(kriging, LINEX_MASK_LINE) * (1 - 2 * apart);
}

/* The weighted mean and the standard deviation of the answers. */
static void measure(const problem *given, double *mean, double *spread)
{
    double total = 0, square = 0;
    *mean = 0;
    for (size_t i = 0; i < given->count; i++) total += given->weights[i];
    for (size_t i = 0; i < given->count; i++) *mean += given->weights[i] / total * given->answers[i];
    for (size_t i = 0; i < given->count; i++) square += given->weights[i] / total * pow(given->answers[i] - *mean, 2);
    *spread = sqrt(square);
}

/* The coefficients of the posterior mean without one of the samples (or `count` for none), which becomes 0. */
static void krige(const problem *given, const linex_mask_kriging *kriging, size_t without, double *solution)
{
    static double matrix[MOST * MOST];
    double mean, spread, rest, sum = 0, square = 0;
    measure(given, &mean, &spread);
    for (size_t i = 0; i < given->count; i++) {
        sum += given->weights[i];
        square += given->weights[i] * given->weights[i];
    }
    for (size_t i = 0; i < given->count; i++) {
        bool out = i == without;
        solution[i] = out ? 0 : (given->answers[i] - mean) / spread;
        for (size_t k = 0; k < given->count; k++)
            matrix[i * given->count + k] =
                out || k == without ? i == k
                                    : covariance(kriging, given->masks + i * PARTS, given->masks + k * PARTS, &rest);
        double share = fmax(given->weights[i] / (square / sum), 0.05);
        if (!out) matrix[i * given->count + i] += linex_mask_kriging_value(kriging, LINEX_MASK_NUGGET) / share;
    }
    eliminate(given->count, matrix, solution);
}

/* The posterior mean at a mask, in units of the answers: all of it, and m alone. */
static double predict(const problem *given, const linex_mask_kriging *kriging, const double *solution,
                      const uint8_t *mask, double *rest)
{
    double mean, spread, all = 0, one;
    measure(given, &mean, &spread);
    *rest = 0;
    for (size_t k = 0; k < given->count; k++) {
        all += solution[k] * covariance(kriging, mask, given->masks + k * PARTS, &one);
        *rest += solution[k] * one;
    }
    *rest *= spread;
    return mean + spread * all;
}

/* Runs the kriging alone. */
static void open_kriging(const problem *given, linex_mask_kriging *kriging)
{
    linex_slice endless = linex_slice_endless();
    CHECK(!linex_mask_kriging_open(&given->points, &given->law, given->weights, given->answers, 600, kriging));
    CHECK(!linex_mask_kriging_advance(kriging, &endless));
    CHECK(kriging->computable && kriging->lime_error > kriging->error);
}

/* Runs the control. Close it with linex_mask_control_kind()->close. */
static linex_control run_control(const problem *given, double ridge, double work, void **state)
{
    const linex_control_kind *kind = linex_mask_control_kind();
    linex_status status = LINEX_UNFINISHED;
    CHECK(kind->suits(&given->samples));
    *state = kind->open(&given->samples, &given->points, given->weights, ridge);
    while (status == LINEX_UNFINISHED) {
        linex_slice slice = {.left = work};
        status = kind->advance(*state, &slice);
    }
    CHECK(status == LINEX_OK);
    return kind->result(*state);
}

static const linex_mask_kind KINDS[] = {LINEX_MASK_SIZES, LINEX_MASK_COINS};

static void residuals_are_those_of_refits_without_each_sample(void)
{
    static problem given;
    for (size_t k = 0; k < 2; k++) {
        linex_mask_kriging kriging;
        double solution[MOST], rest;
        void *state;
        fill(60, KINDS[k], 1, &given);
        open_kriging(&given, &kriging);
        linex_control found = run_control(&given, 0.5, (double)INFINITY, &state);
        for (size_t i = 0; i < given.count; i += 7) {
            krige(&given, &kriging, i, solution);
            double predicted = predict(&given, &kriging, solution, given.masks + i * PARTS, &rest);
            CHECK_NEAR(found.residuals[i], given.answers[i] - predicted, 1e-7);
        }
        linex_mask_control_kind()->close(state);
        linex_mask_kriging_close(&kriging);
    }
}

/* Lists all masks and how likely they are. */
static void list_all(const problem *given, uint8_t *masks, double *shares)
{
    size_t counts[PARTS + 1] = {0}, kept[MASKS] = {0};
    for (size_t i = 0; i < MASKS; i++) {
        for (size_t j = 0; j < PARTS; j++) kept[i] += masks[i * PARTS + j] = (i >> j) & 1;
        counts[kept[i]]++;
    }
    for (size_t i = 0; i < MASKS; i++) shares[i] = given->sizes[kept[i]] / (double)counts[kept[i]];
}

static void with_a_given_ridge_only_what_is_not_linear_is_subtracted(void)
{
    static problem given;
    static uint8_t masks[MASKS * PARTS];
    for (size_t k = 0; k < 2; k++) {
        linex_mask_kriging kriging;
        double shares[MASKS], solution[MOST], rest[MASKS], slopes[PARTS];
        void *state;
        fill(60, KINDS[k], 1, &given);
        open_kriging(&given, &kriging);
        linex_control found = run_control(&given, 0.5, (double)INFINITY, &state);
        CHECK(found.values && found.ridge == 0.5 && found.gain > 1.5);
        list_all(&given, masks, shares);
        krige(&given, &kriging, given.count, solution);
        for (size_t i = 0; i < MASKS; i++) predict(&given, &kriging, solution, masks + i * PARTS, rest + i);
        double constant = fit(MASKS, masks, shares, rest, 0, slopes);
        for (size_t i = 0; i < given.count; i++) {
            double expected, linear = constant;
            predict(&given, &kriging, solution, given.masks + i * PARTS, &expected);
            for (size_t j = 0; j < PARTS; j++) linear += slopes[j] * given.masks[i * PARTS + j];
            CHECK_NEAR(found.values[i], expected - linear, 1e-6);
        }
        linex_mask_control_kind()->close(state);
        linex_mask_kriging_close(&kriging);
    }
}

static void the_ridge_fit_is_the_linear_part_of_the_posterior_mean(void)
{
    static problem given;
    static uint8_t masks[MASKS * PARTS];
    for (size_t k = 0; k < 2; k++) {
        linex_mask_kriging kriging;
        double shares[MASKS], solution[MOST], all[MASKS], slopes[PARTS], fitted[PARTS], adjusted[MOST], rest;
        void *state;
        fill(70, KINDS[k], 1, &given);
        open_kriging(&given, &kriging);
        linex_control found = run_control(&given, LINEX_RIDGE_AUTO, (double)INFINITY, &state);
        CHECK(found.values && found.ridge > 0);
        list_all(&given, masks, shares);
        krige(&given, &kriging, given.count, solution);
        for (size_t i = 0; i < MASKS; i++) all[i] = predict(&given, &kriging, solution, masks + i * PARTS, &rest);
        double constant = fit(MASKS, masks, shares, all, 0, slopes);
        for (size_t i = 0; i < given.count; i++) adjusted[i] = given.answers[i] - found.values[i];
        CHECK_NEAR(fit(given.count, given.masks, given.weights, adjusted, found.ridge, fitted), constant, 1e-6);
        for (size_t j = 0; j < PARTS; j++) CHECK_NEAR(fitted[j], slopes[j], 1e-6);
        linex_mask_control_kind()->close(state);
        linex_mask_kriging_close(&kriging);
    }
}

static void samples_beyond_the_fitted_ones_are_predicted(void)
{
    static problem given;
    linex_mask_kriging kriging;
    double solution[MOST], expected, rest, all, mean, spread;
    linex_slice endless = linex_slice_endless();
    fill(60, LINEX_MASK_SIZES, 1, &given);
    CHECK(!linex_mask_kriging_open(&given.points, &given.law, given.weights, given.answers, 40, &kriging));
    CHECK(!linex_mask_kriging_advance(&kriging, &endless) && kriging.fitted == 40);
    measure(&given, &mean, &spread);
    /* The answers are standardized with all samples. */
    for (size_t i = 0; i < 40; i++) solution[i] = kriging.solution[i];
    for (size_t i = 40; i < given.count; i += 3) {
        linex_mask_kriging_predict(&kriging, i, &rest, &all);
        double sum = 0, one;
        expected = 0;
        for (size_t k = 0; k < 40; k++) {
            sum += solution[k] * covariance(&kriging, given.masks + i * PARTS, given.masks + k * PARTS, &one);
            expected += solution[k] * one;
        }
        CHECK_NEAR(all, sum, 1e-8);
        CHECK_NEAR(rest, expected, 1e-8);
        CHECK(fabs(mean + spread * all - given.answers[i]) < spread);
    }
    linex_mask_kriging_close(&kriging);
}

static void slices_do_not_change_a_bit(void)
{
    static problem given;
    for (size_t k = 0; k < 4; k++) {
        void *first, *other;
        double ridge = k < 2 ? LINEX_RIDGE_AUTO : 1;
        fill(70, KINDS[k % 2], 1, &given);
        linex_control whole = run_control(&given, ridge, (double)INFINITY, &first);
        for (double work = 1; work < 1e7; work *= 317) {
            linex_control sliced = run_control(&given, ridge, work, &other);
            CHECK(memcmp(whole.values, sliced.values, given.count * sizeof(double)) == 0);
            CHECK(memcmp(whole.residuals, sliced.residuals, given.count * sizeof(double)) == 0);
            CHECK(whole.gain == sliced.gain && whole.ridge == sliced.ridge);
            linex_mask_control_kind()->close(other);
        }
        linex_mask_control_kind()->close(first);
    }
}

static void the_scale_of_the_answers_does_not_matter(void)
{
    static problem given;
    for (double size = 1e-300; size < 1e300; size *= 1e50) {
        void *state;
        fill(60, LINEX_MASK_SIZES, size, &given);
        linex_control found = run_control(&given, LINEX_RIDGE_AUTO, 1e5, &state);
        CHECK(found.values && found.gain > 1.5);
        linex_mask_control_kind()->close(state);
    }
}

static void a_linear_function_and_hostile_numbers_are_left_alone(void)
{
    static problem given;
    for (size_t k = 0; k < 4; k++) {
        void *state;
        fill(60, KINDS[k % 2], 1, &given);
        for (size_t i = 0; i < given.count; i++) given.answers[i] = k < 2 ? 0.1 : (i % 2 ? 1.7e308 : -1.7e308);
        linex_control found = run_control(&given, LINEX_RIDGE_AUTO, 1e5, &state);
        CHECK(!found.values && found.gain == 1 && found.ridge == LINEX_RIDGE_AUTO);
        linex_mask_control_kind()->close(state);
    }
}

static void only_masks_with_enough_samples_suit(void)
{
    static problem given;
    const linex_control_kind *kind = linex_mask_control_kind();
    fill(60, LINEX_MASK_SIZES, 1, &given);
    CHECK(kind->kind == LINEX_ADJUSTED_KRIGING && kind->suits(&given.samples));
    linex_samples other = given.samples;
    other.count = 2 * PARTS - 1;
    CHECK(!kind->suits(&other));
    other = given.samples, other.masks = NULL;
    CHECK(!kind->suits(&other));
    other = given.samples, other.law = NULL;
    CHECK(!kind->suits(&other));
    other = given.samples, other.count = LINEX_MOST_KRIGED_MASKS + 1;
    CHECK(!kind->suits(&other));
    other = given.samples, other.feature_count = 33, other.count = LINEX_MOST_FITTED_MASKS + 1;
    CHECK(!kind->suits(&other));
    other.count--;
    CHECK(kind->suits(&other));
}

int main(void)
{
    RUN(residuals_are_those_of_refits_without_each_sample);
    RUN(with_a_given_ridge_only_what_is_not_linear_is_subtracted);
    RUN(the_ridge_fit_is_the_linear_part_of_the_posterior_mean);
    RUN(samples_beyond_the_fitted_ones_are_predicted);
    RUN(slices_do_not_change_a_bit);
    RUN(the_scale_of_the_answers_does_not_matter);
    RUN(a_linear_function_and_hostile_numbers_are_left_alone);
    RUN(only_masks_with_enough_samples_suit);
    return checks_failed != 0;
}
