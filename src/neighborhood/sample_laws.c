/* sample_laws.c: the laws that rows and masks are drawn by, weighted by the kernel. */
#include <math.h>

#include "base/elementary.h"
#include "matrices/matrix.h"
#include "linex.h"

/* Fills the law of a column that is 1 with probability `share`. The row itself has a 1, so a 0 is at distance 1. */
static void weigh_binary(double share, double kernel, double *law)
{
    double scaled = 1 / kernel, other = (1 - share) * linex_exp(-0.5 * scaled * scaled);
    double mean = share > 0 ? share / (share + other) : 0;
    law[LINEX_LAW_BINARY] = 1;
    law[LINEX_LAW_MEAN] = mean;
    law[LINEX_LAW_SPREAD] = sqrt(mean * (1 - mean));
    law[LINEX_LAW_UNIT] = sqrt(share * (1 - share));
}

/* Fills the law of a column that is normal around `center`. */
static void weigh_normal(double center, double unit, double here, double kernel, double *law)
{
    double ratio = unit / kernel, shrink = 1 / (1 + ratio * ratio);
    law[LINEX_LAW_BINARY] = 0;
    law[LINEX_LAW_MEAN] = unit > 0 ? here + (center - here) * shrink : here;
    law[LINEX_LAW_SPREAD] = unit * sqrt(shrink);
    law[LINEX_LAW_UNIT] = unit;
}

/* The bin of a value between the quartiles, as linex_rows_represent finds it. */
static size_t bin_of(const double *statistics, double value)
{
    size_t bin = 0;
    while (bin < 3 && value > statistics[LINEX_COLUMN_QUARTILES + bin]) bin++;
    return bin;
}

/* The share of the samples that are in the row's bin. A bin of equal values may count as another one, because its
 * values are its border. */
static double share_of_bin(const double *statistics, double value)
{
    size_t here = bin_of(statistics, value);
    double share = 0;
    if (statistics[LINEX_COLUMN_SPREAD] == 0) return 1;
    for (size_t bin = 0; bin < 4; bin++) {
        const double *shape = statistics + LINEX_COLUMN_BINS + 3 * bin;
        if ((shape[2] > 0 ? bin : bin_of(statistics, shape[1])) == here) share += shape[0];
    }
    return fmin(share, 1);
}

linex_status linex_rows_law(const linex_table *table, const double *row, const linex_row_settings *settings,
                            double kernel, double *law)
{
    if (!table || !row || !settings || !law || !(kernel > 0)) return LINEX_BAD_ARGUMENT;
    const double *frequencies = table->frequencies;
    for (size_t c = 0; c < table->columns; c++, law += LINEX_LAW_SIZE) {
        const double *statistics = table->statistics + c * LINEX_COLUMN_SIZE;
        uint32_t levels = table->levels[c];
        double mean = statistics[LINEX_COLUMN_MEAN], unit = statistics[LINEX_COLUMN_SPREAD], here = row[c];
        if (levels) {
            if (!(here >= 0 && here < levels)) return LINEX_BAD_ARGUMENT;
            weigh_binary(frequencies[(size_t)here], kernel, law);
            frequencies += levels;
        } else if (settings->discretize) {
            weigh_binary(share_of_bin(statistics, here), kernel, law);
        } else {
            if (!settings->raw && unit > 0) {
                here = (here - mean) / unit;
                mean = 0, unit = 1;
            } else if (!settings->raw) {
                here -= mean;
            }
            weigh_normal(settings->center == LINEX_CENTER_ROW ? here : mean, unit, here, kernel, law);
        }
        if (!linex_all_finite(LINEX_LAW_SIZE, law)) return LINEX_OVERFLOW;
    }
    return LINEX_OK;
}

/* log(count!) - log(kept!) - log((count - kept)!), added up, because the C library's lgamma differs by platform. */
static void add_choices(size_t count, double *logs)
{
    double sum = 0;
    for (size_t kept = 0; kept <= count; kept++) {
        logs[kept] += sum;
        if (kept < count) sum += linex_log((double)(count - kept)) - linex_log((double)(kept + 1));
    }
}

linex_status linex_masks_law(linex_mask_kind kind, size_t feature_count, linex_mask_distance distance, double scale,
                             double kernel, double *sizes)
{
    bool known = (kind == LINEX_MASK_SIZES || kind == LINEX_MASK_COINS) &&
                 (distance == LINEX_MASK_COSINE || distance == LINEX_MASK_EUCLIDEAN);
    if (!known || !feature_count || !sizes || !(kernel > 0) || !(scale > 0) || !isfinite(scale))
        return LINEX_BAD_ARGUMENT;
    double all = (double)feature_count, largest = -(double)INFINITY, sum = 0;
    for (size_t kept = 0; kept <= feature_count; kept++) {
        double removed = all - (double)kept;
        double scaled =
            scale / kernel * (distance == LINEX_MASK_COSINE ? 1 - sqrt((double)kept / all) : sqrt(removed));
        sizes[kept] = -0.5 * scaled * scaled;
    }
    if (kind == LINEX_MASK_COINS)
        add_choices(feature_count, sizes);
    else
        sizes[feature_count] = -(double)INFINITY; /* at least one part is removed */
    for (size_t kept = 0; kept <= feature_count; kept++) largest = fmax(largest, sizes[kept]);
    if (largest == -(double)INFINITY)
        largest = sizes[feature_count - 1] = 0; /* the nearest size, for a tiny kernel */
    for (size_t kept = 0; kept <= feature_count; kept++) {
        sizes[kept] = linex_exp(sizes[kept] - largest);
        sum += sizes[kept];
    }
    for (size_t kept = 0; kept <= feature_count; kept++) sizes[kept] /= sum;
    return LINEX_OK;
}
