/* check.h: a test is a function named as a sentence; a check that fails says where and what, and the rest
 * still runs. */
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
            printf("  %s:%d: %s is %.17g, not %.17g\n", __FILE__, __LINE__, #actual, actual_, expected_);            \
        }                                                                                                            \
    } while (0)

#define RUN(test)                                                                                                    \
    do {                                                                                                             \
        int before_ = checks_failed;                                                                                 \
        test();                                                                                                      \
        printf("%s %s\n", checks_failed == before_ ? "ok  " : "FAIL", #test);                                        \
    } while (0)

#endif
