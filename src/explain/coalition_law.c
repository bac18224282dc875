/* coalition_law.c: how many coalitions of each size there are, and what each of them counts. */
#include "explain/coalition_law.h"

#include "linex.h"

/* Fewer coalitions per part, or fewer in all, give rough values. */
enum { FEW_PER_PART = 4, FEW_IN_ALL = 96 };

static const uint64_t MOST_PAIRS = (uint64_t)1 << 62;

/* choose(n, k) by choose(n, i + 1) = choose(n, i) (n - i) / (i + 1). The division is split, so that no product
 * overflows. The numbers grow up to k = n / 2, so a number that is too large does not become smaller again. */
static uint64_t choose(uint64_t n, uint64_t k)
{
    uint64_t choices = 1;
    for (uint64_t i = 0; i < k; i++) {
        uint64_t factor = n - i, divisor = i + 1, whole = choices / divisor, rest = choices % divisor;
        if (whole > MOST_PAIRS / factor) return LINEX_MANY_PAIRS;
        choices = whole * factor + rest * factor / divisor;
    }
    return choices;
}

uint64_t linex_pairs_count(size_t feature_count, size_t size)
{
    /* If both coalitions have the same size, one of them contains the first part. */
    return 2 * size == feature_count ? choose(feature_count - 1, size - 1) : choose(feature_count, size);
}

double linex_pairs_mass(size_t feature_count, size_t size)
{
    double both = 2 * size == feature_count ? 1 : 2;
    return both / ((double)size * (double)(feature_count - size));
}

size_t linex_coalitions_few(size_t feature_count)
{
    if (feature_count < 7) return (size_t)1 << feature_count;
    size_t few = FEW_PER_PART * feature_count + 2;
    return few > FEW_IN_ALL ? few : FEW_IN_ALL;
}

bool linex_singles_lead(size_t feature_count, size_t samples)
{
    bool all = feature_count < 31 && samples >= (size_t)1 << feature_count;
    return all || samples < linex_coalitions_few(feature_count);
}

void linex_pairs_weigh(size_t feature_count, const size_t *drawn, double *weights, double *missing)
{
    double open = 0, in_open = 0, total = 0;
    bool all_sizes = true;
    for (size_t size = 1; size <= feature_count / 2; size++) {
        uint64_t pairs = linex_pairs_count(feature_count, size);
        missing[size] = drawn[size] < pairs ? 1 - (double)drawn[size] / (double)pairs : 0;
        if (missing[size] == 0) continue;
        open += 1;
        in_open += (double)drawn[size];
        all_sizes = all_sizes && drawn[size];
    }
    for (size_t size = 1; size <= feature_count / 2; size++) {
        double mass = linex_pairs_mass(feature_count, size);
        weights[size] = all_sizes || missing[size] == 0 ? mass / (double)drawn[size] : mass * open / in_open;
        if (!drawn[size]) weights[size] = 0;
        total += weights[size] * (double)drawn[size];
    }
    for (size_t size = 1; size <= feature_count / 2; size++) weights[size] = total > 0 ? weights[size] / total : 0;
}
