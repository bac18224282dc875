/* mask_kernel_test.c: the kernel of masks and its linear part, compared with enumeration of all masks. */
#include "kriging/mask_kernel.h"

#include <string.h>

#include "check.h"
#include "linex.h"
#include "matrices/moments.h"

enum { PARTS = 6, MASKS = 1 << PARTS };

static uint8_t all_masks[MASKS * PARTS];

static void list_masks(void)
{
    for (size_t i = 0; i < MASKS; i++)
        for (size_t j = 0; j < PARTS; j++) all_masks[i * PARTS + j] = (i >> j) & 1;
}

static size_t kept_of(size_t i)
{
    size_t kept = 0;
    for (size_t j = 0; j < PARTS; j++) kept += all_masks[i * PARTS + j];
    return kept;
}

/* How many masks keep this many parts. */
static double masks_of_size(size_t kept)
{
    double found = 0;
    for (size_t i = 0; i < MASKS; i++) found += kept_of(i) == kept;
    return found;
}

/* The kernel of two masks as it is defined. */
static double bell_of(size_t a, size_t b, const double *relevance, double reach)
{
    double apart = 0;
    for (size_t j = 0; j < PARTS; j++)
        if (all_masks[a * PARTS + j] != all_masks[b * PARTS + j]) apart += relevance[j];
    return exp(-apart / reach);
}

static const double RELEVANCES[][PARTS] = {{0.3, 0.05, 0.25, 0, 0.1, 0.3}, {0, 0, 1, 0, 0, 0}};
static const double REACHES[] = {0.01, 0.25, 3};

/* Fits one bell to all masks, weighted by the law. */
static void compare_with_all_masks(const double *sizes, const double *relevance, double reach)
{
    linex_mask_kernel kernel;
    CHECK(linex_mask_kernel_open(MASKS, PARTS, all_masks, sizes, &kernel) && linex_mask_kernel_varies(&kernel));
    linex_mask_kernel_weigh(&kernel, relevance);
    for (size_t c = 0; c < MASKS; c += 5) {
        double points[MASKS * PARTS], shares[MASKS], answers[MASKS], scratch[4096];
        double gram[PARTS * PARTS], cross[PARTS], mean[PARTS], slopes[PARTS] = {0}, all = 0;
        for (size_t i = 0; i < MASKS * PARTS; i++) points[i] = all_masks[i];
        for (size_t i = 0; i < MASKS; i++) {
            shares[i] = sizes[kept_of(i)] / masks_of_size(kept_of(i));
            answers[i] = 2 * bell_of(i, c, relevance, reach);
        }
        linex_points list = {MASKS, PARTS, points, NULL};
        linex_moments moments = {.gram = gram, .cross = cross, .mean = mean, .scratch = scratch};
        linex_moments_take(&list, answers, shares, true, 0, &moments);
        CHECK(!linex_ridge_solve(PARTS, gram, cross, cross));
        linex_mask_kernel_add_means(&kernel, c, reach, 2, &all, slopes);
        CHECK_NEAR(all, moments.answer_mean, 1e-14);
        double constant = linex_mask_kernel_linear_part(&kernel, all, slopes), expected = moments.answer_mean;
        for (size_t j = 0; j < PARTS; j++) {
            CHECK_NEAR(slopes[j], cross[j], 1e-10);
            expected -= cross[j] * mean[j];
        }
        CHECK_NEAR(constant, expected, 1e-10);
    }
    linex_mask_kernel_close(&kernel);
}

static void the_linear_part_is_that_of_all_masks(void)
{
    double sizes[PARTS + 1];
    const double own[PARTS + 1] = {0, 0.5, 0, 0.2, 0, 0.25, 0.05};
    for (int law = 0; law < 3; law++)
        for (size_t i = 0; i < 6; i++) {
            linex_mask_kind drawn = law ? LINEX_MASK_COINS : LINEX_MASK_SIZES;
            CHECK(!linex_masks_law(drawn, PARTS, LINEX_MASK_COSINE, law ? 1 : 100, law ? 0.25 : 25, sizes));
            compare_with_all_masks(law == 2 ? own : sizes, RELEVANCES[i % 2], REACHES[i / 2]);
        }
}

static void agreements_and_bells_are_those_of_the_definition(void)
{
    enum { STRIDE = MASKS + 3 };
    const double sizes[PARTS + 1] = {0, 0.2, 0.2, 0.2, 0.2, 0.2};
    double agreement[5 * STRIDE], bells[MASKS], signs[PARTS], own[MASKS];
    linex_mask_kernel kernel;
    CHECK(linex_mask_kernel_open(MASKS, PARTS, all_masks, sizes, &kernel));
    for (size_t r = 0; r < 2; r++) {
        linex_mask_kernel_weigh(&kernel, RELEVANCES[r]);
        linex_mask_kernel_agreement(&kernel, 7, 5, MASKS, agreement, STRIDE);
        for (size_t a = 0; a < 5; a++) {
            linex_mask_kernel_bells(MASKS, agreement + a * STRIDE, 0.5, bells);
            linex_mask_kernel_agree(&kernel, all_masks + (7 + a) * PARTS, signs, own);
            for (size_t b = 0; b < MASKS; b++) {
                CHECK_NEAR(bells[b], bell_of(7 + a, b, RELEVANCES[r], 0.5), 1e-14);
                CHECK_NEAR(agreement[a * STRIDE + b], 1 + log(bell_of(7 + a, b, RELEVANCES[r], 2)) * 4, 1e-13);
                CHECK_NEAR(own[b], agreement[a * STRIDE + b], 1e-15);
            }
        }
    }
    linex_mask_kernel_close(&kernel);
}

static void many_parts_do_not_overflow(void)
{
    enum { MANY = 256 };
    static uint8_t mask[MANY];
    static double sizes[MANY + 1], slopes[MANY];
    double mean = 0;
    linex_mask_kernel kernel;
    CHECK(!linex_masks_law(LINEX_MASK_SIZES, MANY, LINEX_MASK_COSINE, 100, 25, sizes));
    for (size_t j = 0; j < MANY; j++) mask[j] = j % 3 > 0;
    CHECK(linex_mask_kernel_open(1, MANY, mask, sizes, &kernel));
    linex_mask_kernel_add_means(&kernel, 0, 0.25, 1, &mean, slopes);
    double constant = linex_mask_kernel_linear_part(&kernel, mean, slopes);
    CHECK(mean > 0 && mean < 1 && isfinite(constant) && isfinite(slopes[0]) && slopes[0] < slopes[1]);
    linex_mask_kernel_close(&kernel);
}

static void masks_of_one_size_have_no_linear_part(void)
{
    const double sizes[PARTS + 1] = {0, 0, 0, 1};
    linex_mask_kernel kernel;
    CHECK(linex_mask_kernel_open(MASKS, PARTS, all_masks, sizes, &kernel) && !linex_mask_kernel_varies(&kernel));
    linex_mask_kernel_close(&kernel);
}

int main(void)
{
    list_masks();
    RUN(the_linear_part_is_that_of_all_masks);
    RUN(agreements_and_bells_are_those_of_the_definition);
    RUN(many_parts_do_not_overflow);
    RUN(masks_of_one_size_have_no_linear_part);
    return checks_failed != 0;
}
