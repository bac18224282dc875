/* native_cases.c: runs the benchmark cases in the native build, for tests/bench/native.js.
 *
 * It reads one command per line:
 *
 *     open <kind> <samples> <feature_count> <players> <draws> <method>   prints the bytes that a run writes
 *     run <times>                                                        prints the processor seconds and the sum
 *
 * It prints `failed` for a command that fails. */
#include <stdio.h>
#include <time.h>

#include "cases.h"

static void run(bench_case *bench, size_t times)
{
    clock_t before = clock();
    double sum = bench_run(bench, times);
    printf("%.9f %.17g\n", (double)(clock() - before) / CLOCKS_PER_SEC, sum);
}

int main(void)
{
    char line[256];
    bench_case *bench = NULL;
    while (fgets(line, sizeof line, stdin)) {
        size_t samples, feature_count, players, draws, times;
        int kind, method;
        if (sscanf(line, "open %d %zu %zu %zu %zu %d", &kind, &samples, &feature_count, &players, &draws, &method) ==
            6) {
            bench_close(bench);
            bench = bench_open(kind, samples, feature_count, players, draws, method);
            if (bench) printf("%.0f\n", bench_bytes(bench));
        } else if (bench && sscanf(line, "run %zu", &times) == 1) {
            run(bench, times);
        } else {
            bench = NULL;
        }
        if (!bench) printf("failed\n");
        fflush(stdout);
    }
    bench_close(bench);
    return 0;
}
