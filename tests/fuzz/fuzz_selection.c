/* fuzz_selection.c: attacks the selection of features. */
#include "fuzz_samples.h"
#include "fuzz_support.h"

/* Whether a feature has two values among the samples with a weight. */
static bool varies(const linex_points *points, const double *weights, size_t feature)
{
    bool found = false;
    double value = 0;
    for (size_t i = 0; i < points->count; i++) {
        if (weights[i] == 0) continue;
        size_t index = i * points->feature_count + feature;
        double here = points->masks ? points->masks[index] : points->values[index];
        if (found && here != value) return true;
        found = true;
        value = here;
    }
    return false;
}

void fuzz_room(void)
{
    linex_samples samples = fuzz_samples(1);
    linex_points points = {samples.count, samples.feature_count, samples.points, samples.masks};
    size_t features = fuzz_below(9), chosen_count = SIZE_MAX;
    const double *at = fuzz_numbers(samples.feature_count);
    uint32_t *chosen = fuzz_array(samples.feature_count, sizeof *chosen);
    linex_selection selection = (linex_selection)fuzz_choice(5);
    linex_status status = CALL(linex_select(selection, &points, samples.answers, samples.weights, fuzz_rarely(2), at,
                                            features, fuzz_or_null(chosen), &chosen_count));
    if (status) {
        EXPECT(status == LINEX_BAD_ARGUMENT || chosen_count == 0);
        return;
    }
    EXPECT(selection <= LINEX_SELECT_LEADING);
    EXPECT(chosen_count <= samples.feature_count);
    if (features > 0 && selection < LINEX_SELECT_NONE) EXPECT(chosen_count <= features);
    EXPECT_BELOW(chosen_count, chosen, samples.feature_count);
    for (size_t c = 0; c < chosen_count; c++) {
        EXPECT(c == 0 || chosen[c] > chosen[c - 1]);
        EXPECT(varies(&points, samples.weights, chosen[c]));
    }
}
