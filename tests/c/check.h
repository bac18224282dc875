/* check.h: the macros of the C tests.
 *
 * A test is a function whose name is a sentence. A check that fails prints its place and its condition; the other
 * checks still run. The exit code of a program is checks_failed != 0. */
#ifndef LINEX_CHECK_H
#define LINEX_CHECK_H

#include <math.h>
#include <stdio.h>

static int checks_failed = 0;

#define CHECK(condition)                                                                                             \
    do {                                                                                                             \
        if (!(condition)) {                                                                                          \
            checks_failed++;                                                                                         \
            printf("  %s:%d: %s\n", __FILE__, __LINE__, #condition);                                                 \
        }                                                                                                            \
    } while (0)

#define CHECK_NEAR(actual, expected, tolerance)                                                                      \
    do {                                                                                                             \
        double actual_ = (actual), expected_ = (expected);                                                           \
        if (!(fabs(actual_ - expected_) <= (tolerance))) {                                                           \
            checks_failed++;                                                                                         \
            printf("  %s:%d: %s is %.17g, expected %.17g\n", __FILE__, __LINE__, #actual, actual_, expected_);       \
        }                                                                                                            \
    } while (0)

#define RUN(test)                                                                                                    \
    do {                                                                                                             \
        int before_ = checks_failed;                                                                                 \
        test();                                                                                                      \
        printf("%s %s\n", checks_failed == before_ ? "ok  " : "FAIL", #test);                                        \
    } while (0)

#endif
