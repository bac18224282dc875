/* environments_test.c: tests of how samples are split into environments. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "linex.h"

enum { COUNT = 12 };

/* Points on a line in two groups for the clusters. The distance of a point is its index. */
static double points[COUNT], answers[COUNT], weights[COUNT], distances[COUNT];

static linex_samples make_samples(void)
{
    for (size_t i = 0; i < COUNT; i++) {
        points[i] = i < 5 ? 0.1 * (double)i : 100 + 0.1 * (double)i;
        distances[i] = (double)i;
        weights[i] = 1 + (double)i;
        answers[i] = 0;
    }
    return (linex_samples){COUNT, 1, points, answers, weights, distances, COUNT, NULL, NULL, NULL};
}

static double total_of(const double *values)
{
    double sum = 0;
    for (size_t i = 0; i < COUNT; i++) sum += values[i];
    return sum;
}

static void a_bootstrap_draws_as_many_samples_as_there_are(void)
{
    linex_samples samples = make_samples();
    linex_environment_settings settings = {.kind = LINEX_BOOTSTRAP, .players = 3};
    double drawn[3 * COUNT], again[3 * COUNT], counts[COUNT];
    double missing = 0;
    for (uint64_t draw = 0; draw < 200; draw++) {
        CHECK(linex_environments_draw(&samples, &settings, 0, draw, drawn) == LINEX_OK);
        for (size_t i = 0; i < 3; i++) {
            for (size_t j = 0; j < COUNT; j++) {
                counts[j] = drawn[i * COUNT + j] / weights[j];
                CHECK(counts[j] == floor(counts[j]));
                missing += counts[j] == 0;
            }
            CHECK(total_of(counts) == COUNT);
        }
    }
    /* (1 - 1/12)^12 of the samples are not drawn. */
    CHECK_NEAR(missing / (600 * COUNT), pow(11.0 / 12, 12), 0.02);
    CHECK(linex_environments_draw(&samples, &settings, 0, 199, again) == LINEX_OK);
    CHECK(memcmp(drawn, again, sizeof drawn) == 0);
    CHECK(linex_environments_draw(&samples, &settings, 1, 199, again) == LINEX_OK);
    CHECK(memcmp(drawn, again, sizeof drawn) != 0);
}

static void parts_are_disjoint_and_complete(void)
{
    static const linex_environment_kind kinds[] = {LINEX_HALVES, LINEX_NEAR_FAR, LINEX_CLUSTERS};
    linex_samples samples = make_samples();
    for (size_t kind = 0; kind < 3; kind++) {
        for (size_t players = 1; players <= 5; players++) {
            linex_environment_settings settings = {.kind = kinds[kind], .players = players};
            double drawn[5 * COUNT];
            CHECK(linex_environments_draw(&samples, &settings, 3, 0, drawn) == LINEX_OK);
            for (size_t j = 0; j < COUNT; j++) {
                size_t holders = 0;
                for (size_t i = 0; i < players; i++) holders += drawn[i * COUNT + j] == weights[j];
                for (size_t i = 0; i < players; i++)
                    CHECK(drawn[i * COUNT + j] == 0 || drawn[i * COUNT + j] == weights[j]);
                CHECK(holders == 1);
            }
        }
    }
}

static void near_and_far_are_split_by_distance(void)
{
    linex_samples samples = make_samples();
    linex_environment_settings settings = {.kind = LINEX_NEAR_FAR, .players = 2};
    double drawn[2 * COUNT];
    CHECK(linex_environments_draw(&samples, &settings, 0, 0, drawn) == LINEX_OK);
    for (size_t j = 0; j < COUNT; j++) CHECK(drawn[j] == (j < COUNT / 2 ? weights[j] : 0));
}

static void clusters_find_the_two_groups(void)
{
    linex_samples samples = make_samples();
    linex_environment_settings settings = {.kind = LINEX_CLUSTERS, .players = 2};
    double drawn[2 * COUNT];
    for (uint64_t seed = 0; seed < 20; seed++) {
        CHECK(linex_environments_draw(&samples, &settings, seed, 0, drawn) == LINEX_OK);
        size_t first = drawn[0] > 0 ? 0 : 1;
        for (size_t j = 0; j < COUNT; j++) CHECK((drawn[first * COUNT + j] > 0) == (j < 5));
    }
}

static void widths_are_kernels_of_a_half_and_a_whole(void)
{
    linex_samples samples = make_samples();
    for (size_t j = 0; j < COUNT; j++) weights[j] = exp(-distances[j] * distances[j] / (2 * 9.0));
    linex_environment_settings settings = {.kind = LINEX_WIDTHS, .players = 2, .kernel = 3};
    double drawn[2 * COUNT];
    CHECK(linex_environments_draw(&samples, &settings, 0, 0, drawn) == LINEX_OK);
    for (size_t j = 0; j < COUNT; j++) {
        CHECK_NEAR(drawn[j], exp(-distances[j] * distances[j] / (2 * 2.25)), 1e-14);
        CHECK_NEAR(drawn[COUNT + j], weights[j], 1e-14);
    }
}

static void own_environments_are_not_changed(void)
{
    linex_samples samples = make_samples();
    double own[2 * COUNT], drawn[2 * COUNT];
    for (size_t i = 0; i < 2 * COUNT; i++) own[i] = (double)i;
    samples.own_weights = own;
    linex_environment_settings settings = {.kind = LINEX_OWN, .players = 2};
    CHECK(linex_environments_draw(&samples, &settings, 0, 0, drawn) == LINEX_OK);
    CHECK(memcmp(own, drawn, sizeof own) == 0);
}

static void another_draw_of_a_kind_that_is_not_random_is_a_bootstrap(void)
{
    linex_samples samples = make_samples();
    linex_environment_settings settings = {.kind = LINEX_NEAR_FAR, .players = 2};
    double fixed[2 * COUNT], drawn[2 * COUNT], copies = 0;
    CHECK(linex_environments_draw(&samples, &settings, 0, 0, fixed) == LINEX_OK);
    CHECK(linex_environments_draw(&samples, &settings, 0, 1, drawn) == LINEX_OK);
    for (size_t i = 0; i < 2 * COUNT; i++) {
        CHECK(fixed[i] > 0 || drawn[i] == 0);
        if (fixed[i] > 0) copies += drawn[i] / fixed[i];
    }
    CHECK(copies == COUNT);
}

static void copies_of_a_point_count_as_often_as_they_were_planned(void)
{
    linex_samples samples = make_samples();
    uint32_t point_of[3 * COUNT];
    for (uint32_t i = 0; i < 3 * COUNT; i++) point_of[i] = i % COUNT;
    samples.planned = 3 * COUNT;
    samples.point_of = point_of;
    linex_environment_settings settings = {.kind = LINEX_HALVES, .players = 2};
    double drawn[2 * COUNT];
    CHECK(linex_environments_draw(&samples, &settings, 0, 0, drawn) == LINEX_OK);
    for (size_t j = 0; j < COUNT; j++) CHECK_NEAR(drawn[j] + drawn[COUNT + j], 3 * weights[j], 1e-12);
}

static void anchored_environments_contain_the_row(void)
{
    linex_samples samples = make_samples();
    linex_environment_settings settings = {.kind = LINEX_HALVES, .players = 4, .anchored = true};
    double drawn[4 * COUNT];
    CHECK(linex_environments_draw(&samples, &settings, 0, 0, drawn) == LINEX_OK);
    for (size_t i = 0; i < 4; i++) CHECK(drawn[i * COUNT] == weights[0]);
}

static void missing_arrays_are_refused(void)
{
    linex_samples samples = make_samples();
    double drawn[2 * COUNT];
    linex_environment_settings settings = {.kind = LINEX_OWN, .players = 2};
    CHECK(linex_environments_draw(&samples, &settings, 0, 0, drawn) == LINEX_BAD_ARGUMENT);
    samples.distances = NULL;
    settings.kind = LINEX_NEAR_FAR;
    CHECK(linex_environments_draw(&samples, &settings, 0, 0, drawn) == LINEX_BAD_ARGUMENT);
    settings = (linex_environment_settings){.kind = LINEX_HALVES, .players = 0};
    CHECK(linex_environments_draw(&samples, &settings, 0, 0, drawn) == LINEX_BAD_ARGUMENT);
}

/* A value of 10^8 made the library write outside of its arrays. */
static void a_sample_without_a_point_is_refused(void)
{
    const double points[] = {1, 2, 3}, proximity[] = {1, 1, 1};
    const uint32_t point_of[] = {0, 1, 100000000, 2};
    linex_samples samples = {
        .count = 3, .feature_count = 1, .points = points, .weights = proximity, .planned = 4, .point_of = point_of};
    const linex_environment_settings settings = {.kind = LINEX_BOOTSTRAP, .players = 2};
    double weights[6];
    CHECK(linex_environments_draw(&samples, &settings, 1, 0, weights) == LINEX_BAD_ARGUMENT);
}

static void a_weight_beyond_the_range_is_an_overflow(void)
{
    const double points[] = {1, 2}, proximity[] = {1, 1}, own[] = {1e308, 1e308, 0};
    const uint32_t point_of[] = {0, 0, 1}, apart[] = {0, 1, 1};
    linex_samples samples = {.count = 2, .feature_count = 1, .points = points, .weights = proximity, .planned = 3};
    samples.own_weights = own;
    samples.point_of = apart;
    const linex_environment_settings settings = {.kind = LINEX_OWN, .players = 1};
    double weights[2];
    CHECK(linex_environments_draw(&samples, &settings, 0, 0, weights) == LINEX_OK);
    CHECK(weights[0] == 1e308 && weights[1] == 1e308);
    samples.point_of = point_of;
    CHECK(linex_environments_draw(&samples, &settings, 0, 0, weights) == LINEX_OVERFLOW);
}

int main(void)
{
    RUN(a_sample_without_a_point_is_refused);
    RUN(a_bootstrap_draws_as_many_samples_as_there_are);
    RUN(parts_are_disjoint_and_complete);
    RUN(near_and_far_are_split_by_distance);
    RUN(clusters_find_the_two_groups);
    RUN(widths_are_kernels_of_a_half_and_a_whole);
    RUN(own_environments_are_not_changed);
    RUN(another_draw_of_a_kind_that_is_not_random_is_a_bootstrap);
    RUN(copies_of_a_point_count_as_often_as_they_were_planned);
    RUN(anchored_environments_contain_the_row);
    RUN(a_weight_beyond_the_range_is_an_overflow);
    RUN(missing_arrays_are_refused);
    return checks_failed != 0;
}
