/* sides_test.c: tests of the environments on either side of a plane. */
#include <string.h>

#include "check.h"
#include "linex.h"
#include "base/random.h"

enum { COUNT = 400, FEATURES = 3 };

static double points[COUNT * FEATURES], proximity[COUNT], drawn[2 * COUNT];
static uint8_t masks[COUNT * FEATURES];

static linex_samples make_samples(void)
{
    linex_random random = linex_random_seed(3);
    linex_random_normals(&random, COUNT * FEATURES, points);
    memset(points, 0, FEATURES * sizeof *points);
    for (size_t i = 0; i < COUNT; i++) {
        points[i * FEATURES + 1] *= 1000;
        proximity[i] = 1 + (double)(i % 3);
    }
    return (linex_samples){
        .count = COUNT, .feature_count = FEATURES, .points = points, .weights = proximity, .planned = COUNT};
}

/* A plane through the input separates each point from its mirror image. The units of a feature do not matter, so each
 * feature alone is split at zero in about as many planes. */
static void every_plane_goes_through_the_input(void)
{
    linex_samples samples = make_samples();
    for (size_t i = 1; i + 1 < COUNT; i += 2)
        for (size_t c = 0; c < FEATURES; c++) points[(i + 1) * FEATURES + c] = -points[i * FEATURES + c];
    const linex_environment_settings settings = {.kind = LINEX_SIDES, .players = 2};
    double agreeing[FEATURES] = {0};
    for (uint64_t draw = 0; draw < 300; draw++) {
        CHECK(linex_environments_draw(&samples, &settings, 7, draw, drawn) == LINEX_OK);
        size_t first = 0;
        for (size_t i = 0; i < COUNT; i++) {
            CHECK((drawn[i] == proximity[i]) != (drawn[COUNT + i] == proximity[i]));
            CHECK(drawn[i] == 0 || drawn[COUNT + i] == 0);
            first += drawn[i] > 0;
        }
        for (size_t i = 1; i + 1 < COUNT; i += 2) CHECK((drawn[i] > 0) != (drawn[i + 1] > 0));
        CHECK(first == COUNT / 2 - 1 || first == COUNT / 2);
        for (size_t c = 0; c < FEATURES; c++) {
            double same = 0;
            for (size_t i = 1; i < COUNT; i++) same += (drawn[i] > 0) == (points[i * FEATURES + c] > 0);
            agreeing[c] += fabs(same / (COUNT - 1) - 0.5) / 300;
        }
    }
    for (size_t c = 0; c < FEATURES; c++) CHECK(agreeing[c] > 0.12 && agreeing[c] < 0.28);
}

static void planes_go_through_the_given_input(void)
{
    linex_samples samples = make_samples();
    const double at[FEATURES] = {0.5, 700, -0.5};
    const linex_environment_settings settings = {.kind = LINEX_SIDES, .players = 2, .at = at};
    for (size_t i = 1; i + 1 < COUNT; i += 2)
        for (size_t c = 0; c < FEATURES; c++) points[(i + 1) * FEATURES + c] = 2 * at[c] - points[i * FEATURES + c];
    for (uint64_t draw = 0; draw < 50; draw++) {
        CHECK(linex_environments_draw(&samples, &settings, 7, draw, drawn) == LINEX_OK);
        for (size_t i = 1; i + 1 < COUNT; i += 2) CHECK((drawn[i] > 0) != (drawn[i + 1] > 0));
    }
}

/* The input keeps every part, so no mask is beyond it. */
static void planes_among_masks_go_through_their_mean(void)
{
    linex_samples samples = make_samples();
    CHECK(linex_masks_draw(LINEX_MASK_COINS, FEATURES, LINEX_INDEPENDENT, 1, 0, COUNT, masks) == LINEX_OK);
    samples.points = NULL;
    samples.masks = masks;
    const linex_environment_settings settings = {.kind = LINEX_SIDES, .players = 2};
    double least = 1;
    for (uint64_t draw = 0; draw < 100; draw++) {
        double sums[2] = {0};
        CHECK(linex_environments_draw(&samples, &settings, 7, draw, drawn) == LINEX_OK);
        for (size_t i = 0; i < 2 * COUNT; i++) sums[i / COUNT] += drawn[i];
        least = fmin(least, fmin(sums[0], sums[1]) / (sums[0] + sums[1]));
    }
    CHECK(least > 0.1); /* planes through the input would leave one side empty */
}

static void sides_are_two(void)
{
    linex_samples samples = make_samples();
    const double nowhere[FEATURES] = {0, (double)NAN, 0};
    linex_environment_settings settings = {.kind = LINEX_SIDES, .players = 3};
    CHECK(linex_environments_draw(&samples, &settings, 7, 0, drawn) == LINEX_BAD_ARGUMENT);
    settings = (linex_environment_settings){.kind = LINEX_SIDES, .players = 2, .at = nowhere};
    CHECK(linex_environments_draw(&samples, &settings, 7, 0, drawn) == LINEX_BAD_ARGUMENT);
}

int main(void)
{
    RUN(every_plane_goes_through_the_input);
    RUN(planes_go_through_the_given_input);
    RUN(planes_among_masks_go_through_their_mean);
    RUN(sides_are_two);
    return checks_failed != 0;
}
