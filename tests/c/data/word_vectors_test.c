/* word_vectors_test.c: the nearest words, compared with brute force. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "linex.h"
#include "base/random.h"
#include "run_sliced.h"

enum { COUNT = 500, DIMENSIONS = 7, BLOCK_WORDS = 64, BLOCKS = (COUNT + BLOCK_WORDS - 1) / BLOCK_WORDS };

typedef struct {
    float values[COUNT * DIMENSIONS];
    const float *blocks[BLOCKS];
    double squares[COUNT];
    linex_word_vectors all;
} word_fixture;

/* Small whole numbers, so that many words are equally near and some vectors are zero. */
static void make_words(word_fixture *words)
{
    linex_random random = linex_random_seed(3);
    for (size_t i = 0; i < COUNT * DIMENSIONS; i++) words->values[i] = (float)linex_random_below(&random, 3) - 1;
    memset(words->values + 20 * DIMENSIONS, 0, DIMENSIONS * sizeof(float));
    for (size_t b = 0; b < BLOCKS; b++) words->blocks[b] = words->values + b * BLOCK_WORDS * DIMENSIONS;
    words->all = (linex_word_vectors){COUNT, DIMENSIONS, BLOCK_WORDS, words->blocks, words->squares};
    CHECK(linex_word_vectors_measure(&words->all, words->squares) == LINEX_OK);
}

static double cosine_of(const word_fixture *words, const float *query, size_t word)
{
    double product = 0, a = 0, b = 0;
    for (size_t c = 0; c < DIMENSIONS; c++) {
        double x = (double)words->values[word * DIMENSIONS + c], y = (double)query[c];
        product += x * y;
        a += x * x;
        b += y * y;
    }
    return a > 0 && b > 0 ? product / sqrt(a * b) : -2;
}

/* A word's place by brute force: the number of words that come before it. */
static size_t place_of(const double *cosines, size_t word)
{
    size_t place = 0;
    for (size_t i = 0; i < COUNT; i++)
        place += cosines[i] > cosines[word] || (cosines[i] == cosines[word] && i < word);
    return place;
}

static void check_nearest(const word_fixture *words, size_t queries, const float *points, size_t max_words)
{
    uint32_t *near = malloc(queries * max_words * sizeof *near);
    double *cosines = malloc(queries * max_words * sizeof *cosines), expected[COUNT];
    size_t *found = malloc(queries * sizeof *found);
    CHECK(linex_words_nearest(&words->all, queries, points, max_words, near, cosines, found) == LINEX_OK);
    for (size_t q = 0; q < queries; q++) {
        size_t nonzero = 0;
        for (size_t i = 0; i < COUNT; i++)
            nonzero += (expected[i] = cosine_of(words, points + q * DIMENSIONS, i)) > -2;
        CHECK(found[q] == (nonzero < max_words ? nonzero : max_words));
        for (size_t k = 0; k < found[q]; k++) {
            CHECK(place_of(expected, near[q * max_words + k]) == k);
            CHECK_NEAR(cosines[q * max_words + k], expected[near[q * max_words + k]], 1e-15);
        }
    }
    free(near);
    free(cosines);
    free(found);
}

static void nearest_words_match_brute_force_including_ties(void)
{
    word_fixture *words = malloc(sizeof *words);
    make_words(words);
    const size_t counts[] = {1, 2, 10, 63, 499, 500, 600};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) check_nearest(words, 30, words->values, counts[i]);
    free(words);
}

static void blocks_of_any_size_give_the_same_answer(void)
{
    word_fixture *words = malloc(sizeof *words);
    make_words(words);
    const float *whole[] = {words->values};
    linex_word_vectors one_block = {COUNT, DIMENSIONS, COUNT, whole, words->squares};
    uint32_t near[2][50];
    double cosines[2][50];
    size_t found[2][5];
    const linex_word_vectors *both[] = {&words->all, &one_block};
    for (size_t i = 0; i < 2; i++)
        CHECK(linex_words_nearest(both[i], 5, words->values, 10, near[i], cosines[i], found[i]) == LINEX_OK);
    CHECK(memcmp(near[0], near[1], sizeof near[0]) == 0);
    CHECK(memcmp(cosines[0], cosines[1], sizeof cosines[0]) == 0);
    CHECK(memcmp(found[0], found[1], sizeof found[0]) == 0);
    free(words);
}

static void a_query_of_length_zero_finds_no_words(void)
{
    word_fixture *words = malloc(sizeof *words);
    make_words(words);
    uint32_t near[COUNT];
    double cosines[COUNT];
    size_t found;
    CHECK(linex_words_nearest(&words->all, 1, words->values + 20 * DIMENSIONS, COUNT, near, cosines, &found) ==
          LINEX_OK);
    CHECK(found == 0);
    free(words);
}

static void the_slices_do_not_change_the_words(void)
{
    enum { QUERIES = 6, NEAR = 9 };
    word_fixture *words = malloc(sizeof *words);
    make_words(words);
    uint32_t expected[QUERIES * NEAR], near[QUERIES * NEAR];
    double cosines[QUERIES * NEAR], expected_cosines[QUERIES * NEAR];
    size_t found[QUERIES];
    CHECK(linex_words_nearest(&words->all, QUERIES, words->values, NEAR, expected, expected_cosines, found) ==
          LINEX_OK);
    for (size_t i = 0; i < SLICE_COUNT; i++) {
        linex_task *task = NULL;
        linex_status started =
            linex_words_nearest_start(&words->all, QUERIES, words->values, NEAR, near, cosines, found, &task);
        CHECK(run_sliced(started, task, SLICES[i]) == LINEX_OK);
        CHECK(!memcmp(near, expected, sizeof near) && !memcmp(cosines, expected_cosines, sizeof cosines));
    }
    free(words);
}

static void bad_arguments_are_rejected(void)
{
    word_fixture *words = malloc(sizeof *words);
    make_words(words);
    linex_word_vectors bad = words->all;
    uint32_t near[4];
    double cosines[4];
    size_t found;
    float query[DIMENSIONS] = {1};
    CHECK(linex_words_nearest(&bad, 1, query, 0, near, cosines, &found) == LINEX_BAD_ARGUMENT);
    CHECK(linex_words_nearest(&bad, 1, NULL, 4, near, cosines, &found) == LINEX_BAD_ARGUMENT);
    query[2] = NAN;
    CHECK(linex_words_nearest(&bad, 1, query, 4, near, cosines, &found) == LINEX_BAD_ARGUMENT);
    bad.dimensions = 0;
    CHECK(linex_word_vectors_measure(&bad, words->squares) == LINEX_BAD_ARGUMENT);
    words->values[17] = INFINITY;
    CHECK(linex_word_vectors_measure(&words->all, words->squares) == LINEX_BAD_ARGUMENT);
    CHECK(linex_word_vectors_measure(NULL, words->squares) == LINEX_BAD_ARGUMENT);
    free(words);
}

int main(void)
{
    RUN(nearest_words_match_brute_force_including_ties);
    RUN(blocks_of_any_size_give_the_same_answer);
    RUN(a_query_of_length_zero_finds_no_words);
    RUN(the_slices_do_not_change_the_words);
    RUN(bad_arguments_are_rejected);
    return checks_failed != 0;
}
