/* fuzz_support.c: arguments from bytes, checks, and the allocator of the library under attack. */
#include "fuzz_support.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

/* The build renames malloc and its relatives in the library to these. */
void *fuzz_malloc(size_t size);
void *fuzz_calloc(size_t count, size_t size);
void *fuzz_realloc(void *memory, size_t size);
void fuzz_free(void *memory);

/* Larger requests are refused, as on a small machine. A count that was checked wrongly asks for more than this. */
static const size_t MOST_BYTES = (size_t)1 << 28;

enum { MAX_ARRAYS = 256 };

static struct {
    const uint8_t *bytes;
    size_t size, at;
    uint8_t mode;
    void *arrays[MAX_ARRAYS];
    size_t array_count;
    size_t allocations, fail_at, live;
    bool refused; /* an allocation failed during this call */
    uint64_t digest;
    double palette[3]; /* the extreme numbers of this execution */
    jmp_buf *end;      /* of the execution, for findings that are ignored */
} run;

/* ---- the allocator ---- */

static bool is_refused(size_t size)
{
    bool refused = ++run.allocations == run.fail_at || size > MOST_BYTES;
    run.refused = run.refused || refused;
    return refused;
}

void *fuzz_malloc(size_t size)
{
    if (is_refused(size)) return NULL;
    run.live++;
    return malloc(size);
}

void *fuzz_calloc(size_t count, size_t size)
{
    bool wraps = size > 0 && count > SIZE_MAX / size;
    if (is_refused(wraps ? SIZE_MAX : count * size)) return NULL;
    run.live++;
    return calloc(count, size);
}

void *fuzz_realloc(void *memory, size_t size)
{
    if (is_refused(size)) return NULL;
    run.live += memory == NULL;
    return realloc(memory, size);
}

void fuzz_free(void *memory)
{
    run.live -= memory != NULL;
    free(memory);
}

/* ---- one execution ---- */

static double extreme_number(void);

static void add_to_digest(const void *memory, size_t size)
{
    const uint8_t *bytes = memory;
    for (size_t i = 0; i < size; i++) run.digest = (run.digest ^ bytes[i]) * UINT64_C(0x100000001b3);
}

void fuzz_open(const uint8_t *bytes, size_t size, size_t fail_at)
{
    run.bytes = bytes;
    run.size = size;
    run.at = 0;
    run.allocations = run.live = run.array_count = 0;
    run.refused = false;
    run.digest = UINT64_C(0xcbf29ce484222325);
    run.mode = fuzz_byte();
    run.fail_at = fail_at;
    /* libFuzzer chooses the allocation that fails, in one execution of eight. */
    size_t chosen = fuzz_byte();
    if (!fail_at && run.mode >= 224) run.fail_at = chosen;
    /* Few extreme numbers, but often: two of them in one sum overflow, many different ones rarely meet. */
    for (size_t i = 0; run.mode % 4 > 1 && i < 3; i++) run.palette[i] = extreme_number();
}

size_t fuzz_close(void)
{
    for (size_t i = 0; i < run.array_count; i++) free(run.arrays[i]);
    EXPECT(run.live == 0 && "the library has released everything");
    return run.allocations;
}

size_t fuzz_execute(const uint8_t *bytes, size_t size, size_t fail_at)
{
    jmp_buf end;
    fuzz_open(bytes, size, fail_at);
    run.end = &end;
    if (setjmp(end) == 0)
        fuzz_room();
    else
        run.live = 0;
    return fuzz_close();
}

uint64_t fuzz_digest(void)
{
    return run.digest;
}

/* ---- arguments ---- */

uint8_t fuzz_byte(void)
{
    return run.at < run.size ? run.bytes[run.at++] : 0;
}

uint64_t fuzz_bits(void)
{
    uint64_t bits = 0;
    for (int i = 0; i < 64; i += 8) bits |= (uint64_t)fuzz_byte() << i;
    return bits;
}

size_t fuzz_below(size_t bound)
{
    size_t value = fuzz_byte();
    if (bound > 256) value = value << 8 | fuzz_byte();
    if (bound > 65536) value = value << 16 | (size_t)fuzz_byte() << 8 | fuzz_byte();
    return value % bound;
}

size_t fuzz_between(size_t low, size_t high)
{
    return low + fuzz_below(high - low + 1);
}

bool fuzz_rarely(size_t times)
{
    return fuzz_below(times) == times - 1;
}

bool fuzz_is_wild(void)
{
    return run.mode % 4 == 3;
}

static double number_from_bits(void)
{
    uint64_t bits = fuzz_bits();
    double number;
    memcpy(&number, &bits, sizeof number);
    return isfinite(number) || fuzz_is_wild() ? number : 1;
}

/* Numbers at the ends of the range, and what is no number. */
static double extreme_number(void)
{
    static const double extremes[] = {1e-8,  1e8,     1e-100,   1e100,   1e200,    -1e200,    1.7e308,  -1.7e308,
                                      1e308, DBL_MAX, -DBL_MAX, DBL_MIN, 4.9e-324, -4.9e-324, 1e-300,   -0.0,
                                      1e16,  -1e154,  1e154,    2e-308,  NAN,      INFINITY,  -INFINITY};
    size_t finite = sizeof extremes / sizeof *extremes - 3;
    return extremes[fuzz_below(fuzz_is_wild() ? finite + 3 : finite)];
}

double fuzz_number(void)
{
    uint8_t kind = fuzz_byte();
    double small = (double)(kind % 32) - 16;
    /* A quarter of the executions has only small numbers, another quarter no extreme ones. */
    if (kind < 128 || run.mode % 4 == 0) return kind & 64 ? small / 16 : small;
    if (kind < 160 || run.mode % 4 == 1) return small + (double)fuzz_byte() / 256;
    return kind < 248 ? run.palette[kind % 3] : number_from_bits();
}

double fuzz_share(void)
{
    if (fuzz_is_wild() && fuzz_rarely(16)) return fuzz_number();
    return (double)fuzz_byte() / 255;
}

double fuzz_positive(void)
{
    if (fuzz_is_wild() && fuzz_rarely(8)) return fuzz_number();
    double number = fabs(fuzz_number());
    return number > 0 && isfinite(number) ? number : 1;
}

int fuzz_choice(int values)
{
    if (!fuzz_is_wild() || !fuzz_rarely(8)) return (int)fuzz_below((size_t)values);
    static const int unknown[] = {-1, 97, INT32_MAX, INT32_MIN};
    return fuzz_rarely(2) ? values : unknown[fuzz_below(4)];
}

void *fuzz_array(size_t count, size_t size)
{
    EXPECT(run.array_count < MAX_ARRAYS);
    void *array = malloc(count * size);
    EXPECT(array || count * size == 0);
    if (array) memset(array, 255, count * size);
    return run.arrays[run.array_count++] = array;
}

void *fuzz_or_null(void *array)
{
    return fuzz_is_wild() && fuzz_rarely(32) ? NULL : array;
}

double *fuzz_numbers(size_t count)
{
    double *numbers = fuzz_array(count, sizeof *numbers);
    for (size_t i = 0; i < count; i++) numbers[i] = fuzz_number();
    return fuzz_or_null(numbers);
}

double *fuzz_shares(size_t count)
{
    double *shares = fuzz_array(count, sizeof *shares);
    for (size_t i = 0; i < count; i++) shares[i] = fuzz_share();
    return fuzz_or_null(shares);
}

uint32_t *fuzz_indices(size_t count, size_t bound)
{
    uint32_t *indices = fuzz_array(count, sizeof *indices);
    static const uint32_t beyond[] = {UINT32_MAX, 100000000, 65536};
    for (size_t i = 0; i < count; i++) {
        indices[i] = (uint32_t)fuzz_below(bound);
        if (fuzz_is_wild() && fuzz_rarely(32)) indices[i] = fuzz_rarely(2) ? (uint32_t)bound : beyond[fuzz_below(3)];
    }
    return fuzz_or_null(indices);
}

uint8_t *fuzz_masks(size_t count)
{
    uint8_t *masks = fuzz_array(count, 1);
    for (size_t i = 0; i < count; i += 8) {
        uint8_t bits = fuzz_byte();
        for (size_t j = i; j < count && j < i + 8; j++) masks[j] = bits >> (j - i) & 1;
    }
    if (fuzz_is_wild() && fuzz_rarely(4)) masks[fuzz_below(count)] = fuzz_byte();
    return fuzz_or_null(masks);
}

/* ---- checks ---- */

void fuzz_fail(const char *file, int line, const char *text)
{
    char place[128];
    const char *name = strrchr(file, '/'), *ignored = getenv("LINEX_FUZZ_IGNORE");
    snprintf(place, sizeof place, "%s:%d", name ? name + 1 : file, line);
    if (ignored && run.end && strstr(ignored, place)) longjmp(*run.end, 1);
    fprintf(stderr, "FINDING %s: %s\n", place, text);
    abort();
}

void fuzz_begin_call(void)
{
    run.refused = false;
}

linex_status fuzz_forgive(linex_status status)
{
    if (status == LINEX_OK || status == LINEX_UNFINISHED) run.refused = false;
    return status;
}

linex_status fuzz_check_status(linex_status status, const char *file, int line, const char *text)
{
    /* A number without a text of its own is not a status. */
    if (strcmp(linex_status_text(status), linex_status_text((linex_status)1000)) == 0) {
        fprintf(stderr, "unknown status %d from\n", (int)status);
        fuzz_fail(file, line, text);
    }
    if (run.refused != (status == LINEX_NO_MEMORY)) {
        fprintf(stderr, "%s, but the status is %d from\n",
                run.refused ? "an allocation failed" : "no allocation failed", (int)status);
        fuzz_fail(file, line, text);
    }
    run.refused = false;
    add_to_digest(&status, sizeof status);
    return status;
}

linex_status fuzz_run_task(linex_task *task, bool forgiving)
{
    static const double works[] = {INFINITY, 1, 50, 1000, 100000};
    double progress = 0;
    linex_status status = LINEX_UNFINISHED;
    size_t slices = fuzz_rarely(8) ? fuzz_below(4) : SIZE_MAX;
    for (size_t slice = 0; status == LINEX_UNFINISHED && slice < slices; slice++) {
        double work = slice < 64 ? works[fuzz_below(5)] : INFINITY;
        status = forgiving ? CALL_OR_OK(linex_task_run(task, work)) : CALL(linex_task_run(task, work));
        EXPECT(work != INFINITY || status != LINEX_UNFINISHED);
        EXPECT(linex_task_progress(task) >= progress && linex_task_progress(task) <= 1);
        progress = linex_task_progress(task);
    }
    if (status != LINEX_UNFINISHED && status != LINEX_NO_MEMORY) EXPECT(linex_task_run(task, 1) == status);
    linex_task_free(task);
    return status;
}

void fuzz_check_finite(size_t count, const double *numbers, const char *file, int line, const char *text)
{
    fuzz_check_within(count, numbers, -DBL_MAX, DBL_MAX, file, line, text);
}

void fuzz_check_within(size_t count, const double *numbers, double low, double high, const char *file, int line,
                       const char *text)
{
    if (!numbers) return;
    for (size_t i = 0; i < count; i++)
        if (!(numbers[i] >= low && numbers[i] <= high)) {
            fprintf(stderr, "[%zu] is %.17g, not in %g .. %g\n", i, numbers[i], low, high);
            fuzz_fail(file, line, text);
        }
    add_to_digest(numbers, count * sizeof *numbers);
}

void fuzz_check_below(size_t count, const uint32_t *indices, size_t bound, const char *file, int line,
                      const char *text)
{
    if (!indices) return;
    for (size_t i = 0; i < count; i++)
        if (indices[i] >= bound) {
            fprintf(stderr, "[%zu] is %u, not below %zu\n", i, indices[i], bound);
            fuzz_fail(file, line, text);
        }
    add_to_digest(indices, count * sizeof *indices);
}
