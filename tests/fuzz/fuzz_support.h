/* fuzz_support.h: what the fuzz harnesses share: arguments made from bytes, checks, and an allocator that can fail.
 *
 * A harness is a function fuzz_room() in a file fuzz_<room>.c. It reads its arguments with the functions below, calls
 * the library through CALL, and states what must hold with EXPECT. The same file becomes two programs: one for
 * libFuzzer (fuzz_libfuzzer.c), one that needs no clang and makes every allocation fail in turn (fuzz_driver.c). */
#ifndef LINEX_FUZZ_SUPPORT_H
#define LINEX_FUZZ_SUPPORT_H

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "linex.h"

/* The harness. */
void fuzz_room(void);

/* ---- one execution ---- */

/* Begins an execution on these bytes.
 *
 * fail_at  which allocation of the library fails, counted from 1; 0 for none */
void fuzz_open(const uint8_t *bytes, size_t size, size_t fail_at);

/* Ends it: frees the arrays and checks that the library has released everything. Returns how often the library has
 * allocated. */
size_t fuzz_close(void);

/* Opens, runs fuzz_room and closes. */
size_t fuzz_execute(const uint8_t *bytes, size_t size, size_t fail_at);

/* A hash of every status and every number that was checked. The same bytes give the same hash. */
uint64_t fuzz_digest(void);

/* ---- arguments. At the end of the bytes, every function returns its plainest value ---- */

uint8_t fuzz_byte(void);
uint64_t fuzz_bits(void);

/* Returns a whole number in 0 .. bound-1. */
size_t fuzz_below(size_t bound);

/* Returns a whole number in low .. high. */
size_t fuzz_between(size_t low, size_t high);

/* Is true about once in `times` (at least 2). */
bool fuzz_rarely(size_t times);

/* Whether this execution contains arguments that must be refused: one in four does. Only then do numbers and arrays
 * include what is not allowed; otherwise almost every call would be refused. */
bool fuzz_is_wild(void);

/* Returns a number. What it can be depends on the execution: small whole numbers and fractions, any finite number
 * up to the largest and down to the smallest, or also NaN and infinity. */
double fuzz_number(void);

/* Returns a number in 0 .. 1, in steps of 1/255. In a wild execution it may be any number. */
double fuzz_share(void);

/* Returns a positive number, rarely an extreme one. In a wild execution it may be any number. */
double fuzz_positive(void);

/* Returns a value of an enum with this many values; in a wild execution sometimes an unknown one. */
int fuzz_choice(int values);

/* Returns an array of exactly this size, so that the sanitizer sees each access beyond it. All bytes are 255, so
 * numbers that the library does not write are not finite. It is freed at the end of the execution. */
void *fuzz_array(size_t count, size_t size);

/* Returns an input array; in a wild execution rarely NULL. */
double *fuzz_numbers(size_t count);
double *fuzz_shares(size_t count);
uint32_t *fuzz_indices(size_t count, size_t bound);
uint8_t *fuzz_masks(size_t count);

/* Returns the array, or rarely NULL in a wild execution. For outputs. */
void *fuzz_or_null(void *array);

/* ---- checks ---- */

/* Stops the program with a message if the condition is false. If the environment variable LINEX_FUZZ_IGNORE contains
 * the place, such as fuzz_game.c:57, only the execution ends: to search behind a finding that is already known. */
#define EXPECT(condition) ((condition) ? (void)0 : fuzz_fail(__FILE__, __LINE__, #condition))
_Noreturn void fuzz_fail(const char *file, int line, const char *text);

/* Calls a function of the library and returns its status. The status must be a known one; it must be NO_MEMORY if an
 * allocation failed during the call, and must not be otherwise. */
#define CALL(call) fuzz_check_status((fuzz_begin_call(), (call)), __FILE__, __LINE__, #call)
/* The same for a function that may do without what it could not allocate. */
#define CALL_OR_OK(call) fuzz_check_status((fuzz_begin_call(), fuzz_forgive(call)), __FILE__, __LINE__, #call)
void fuzz_begin_call(void);
linex_status fuzz_forgive(linex_status status);
linex_status fuzz_check_status(linex_status status, const char *file, int line, const char *text);

/* Runs a task in slices of any size, and frees it. Sometimes it is given up before its end: then the result is
 * LINEX_UNFINISHED. Otherwise it is the status of the task.
 *
 * forgiving  whether the task may do without what it could not allocate, as in CALL_OR_OK */
linex_status fuzz_run_task(linex_task *task, bool forgiving);

/* Expects finite numbers in all of an array. NULL is allowed. */
#define EXPECT_FINITE(count, numbers) fuzz_check_finite(count, numbers, __FILE__, __LINE__, #numbers)
void fuzz_check_finite(size_t count, const double *numbers, const char *file, int line, const char *text);

/* Expects every number to be in low .. high; NaN is outside. */
#define EXPECT_WITHIN(count, numbers, low, high)                                                                     \
    fuzz_check_within(count, numbers, low, high, __FILE__, __LINE__, #numbers)
void fuzz_check_within(size_t count, const double *numbers, double low, double high, const char *file, int line,
                       const char *text);

/* Expects indices below a bound. */
#define EXPECT_BELOW(count, indices, bound) fuzz_check_below(count, indices, bound, __FILE__, __LINE__, #indices)
void fuzz_check_below(size_t count, const uint32_t *indices, size_t bound, const char *file, int line,
                      const char *text);

#endif
