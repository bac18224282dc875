/* fuzz_driver.c: runs a harness without libFuzzer: on the corpus, then on random bytes, with failing allocations.
 *
 *     drive_<room> [--executions N] [--seed S] [--failures N] [--save FILE] [files]
 *
 * Every file, and the first `failures` random inputs, run once more for each of their allocations, which then fails.
 * The same bytes must give the same results afterwards. If a check or a sanitizer stops the program, the bytes are
 * saved, and `drive_<room> FILE --executions 0` or libFuzzer replays them. */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "fuzz_support.h"

enum { MOST_BYTES = 1 << 16, RANDOM_BYTES = 1024 };

static uint8_t bytes[MOST_BYTES];
static size_t size;
static const char *save_as = "crash";

const char *__asan_default_options(void);
const char *__ubsan_default_options(void);

/* So that a sanitizer ends the program by a signal, too. fuzz_close looks for leaks after every execution. */
const char *__asan_default_options(void)
{
    return "abort_on_error=1:detect_leaks=0";
}

const char *__ubsan_default_options(void)
{
    return "abort_on_error=1:print_stacktrace=1";
}

static void save_bytes(int signal_number)
{
    FILE *file = fopen(save_as, "wb");
    if (file) {
        fwrite(bytes, 1, size, file);
        fclose(file);
    }
    fprintf(stderr, "the bytes are in %s\n", save_as);
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

/* Runs the bytes, then once more for each allocation, which fails. Returns the number of executions. */
static uint64_t run_bytes(bool with_failures)
{
    size_t allocations = fuzz_execute(bytes, size, 0);
    uint64_t digest = fuzz_digest(), executions = 1;
    if (!with_failures || size == 0) return executions;
    bytes[0] %= 224; /* the bytes themselves choose no failure */
    allocations = fuzz_execute(bytes, size, 0);
    digest = fuzz_digest();
    for (size_t fail_at = 1; fail_at <= allocations; fail_at++, executions++) fuzz_execute(bytes, size, fail_at);
    fuzz_execute(bytes, size, 0);
    EXPECT(fuzz_digest() == digest && "the same bytes give the same results");
    return executions + 2;
}

static uint64_t run_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        fprintf(stderr, "cannot read %s\n", path);
        exit(2);
    }
    size = fread(bytes, 1, MOST_BYTES, file);
    fclose(file);
    return run_bytes(true);
}

static uint64_t next_random(uint64_t *state)
{
    uint64_t mixed = *state += UINT64_C(0x9e3779b97f4a7c15);
    mixed = (mixed ^ mixed >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    mixed = (mixed ^ mixed >> 27) * UINT64_C(0x94d049bb133111eb);
    return mixed ^ mixed >> 31;
}

static uint64_t run_random(uint64_t seed, uint64_t index, bool with_failures)
{
    uint64_t state = seed * UINT64_C(0xd1342543de82ef95) + index * UINT64_C(0xa0761d6478bd642f);
    size = RANDOM_BYTES;
    for (size_t i = 0; i < size; i += 8) {
        uint64_t bits = next_random(&state);
        memcpy(bytes + i, &bits, sizeof bits);
    }
    return run_bytes(with_failures);
}

int main(int count, char **words)
{
    uint64_t executions = 1000, seed = 1, failures = 100, done = 0;
    signal(SIGABRT, save_bytes);
    signal(SIGSEGV, save_bytes);
    for (int i = 1; i + 1 < count; i++) {
        if (strcmp(words[i], "--executions") == 0) executions = strtoull(words[i + 1], NULL, 10);
        if (strcmp(words[i], "--seed") == 0) seed = strtoull(words[i + 1], NULL, 10);
        if (strcmp(words[i], "--failures") == 0) failures = strtoull(words[i + 1], NULL, 10);
        if (strcmp(words[i], "--save") == 0) save_as = words[i + 1];
    }
    for (int i = 1; i < count; i++) {
        if (strncmp(words[i], "--", 2) == 0)
            i++;
        else
            done += run_file(words[i]);
    }
    for (uint64_t i = 0; i < executions; i++) done += run_random(seed, i, i < failures);
    printf("seed %" PRIu64 ": %" PRIu64 " executions\n", seed, done);
    return 0;
}
