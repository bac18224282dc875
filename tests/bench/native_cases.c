/* native_cases.c: the cases in the native build, for tests/bench/native.js. Reads a command a line:
 *
 *     open <kind> <samples> <width> <players> <draws> <method>     answers the bytes that a run writes
 *     run <times>                                                  answers seconds of processor time and the sum
 *
 * A command that cannot be done is answered by `failed`. */
#include <stdio.h>
#include <time.h>

#include "cases.h"

static void run(bench_case *one, size_t times)
{
    clock_t before = clock();
    double sum = bench_run(one, times);
    printf("%.9f %.17g\n", (double)(clock() - before) / CLOCKS_PER_SEC, sum);
}

int main(void)
{
    char line[256];
    bench_case *one = NULL;
    while (fgets(line, sizeof line, stdin)) {
        size_t samples, width, players, draws, times;
        int kind, method;
        if (sscanf(line, "open %d %zu %zu %zu %zu %d", &kind, &samples, &width, &players, &draws, &method) == 6) {
            bench_close(one);
            one = bench_open(kind, samples, width, players, draws, method);
            if (one) printf("%.0f\n", bench_bytes(one));
        } else if (one && sscanf(line, "run %zu", &times) == 1) {
            run(one, times);
        } else {
            one = NULL;
        }
        if (!one) printf("failed\n");
        fflush(stdout);
    }
    bench_close(one);
    return 0;
}
