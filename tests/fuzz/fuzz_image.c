/* fuzz_image.c: attacks images: resizing, averages, blur, superpixels, tensors and composed masks. */
#include "fuzz_support.h"

enum { MOST_PIXELS = 16 };

static size_t any_channels(void)
{
    static const size_t channels[] = {1, 3, 4, 0, 2, 5};
    return channels[fuzz_below(fuzz_is_wild() && fuzz_rarely(4) ? 6 : 3)];
}

static uint8_t *any_bytes(size_t count)
{
    uint8_t *bytes = fuzz_array(count, 1);
    uint8_t mask = fuzz_rarely(2) ? 255 : 192; /* few colors make regions */
    for (size_t i = 0; i < count; i++) bytes[i] = fuzz_byte() & mask;
    return fuzz_or_null(bytes);
}

/* Values in 0 .. 255; in a wild execution also others. */
static float *any_floats(size_t count)
{
    float *floats = fuzz_array(count, sizeof *floats);
    for (size_t i = 0; i < count; i++) {
        double number = fuzz_is_wild() && fuzz_rarely(16) ? fuzz_number() : fuzz_byte();
        floats[i] = fabs(number) <= 3e38 || isnan(number) ? (float)number : INFINITY;
    }
    return fuzz_or_null(floats);
}

static void expect_colors(size_t count, const float *colors, bool known)
{
    for (size_t i = 0; known && i < count; i++) EXPECT(colors[i] >= -0.01f && colors[i] <= 255.01f);
}

static bool all_are_colors(size_t count, const float *floats)
{
    for (size_t i = 0; floats && i < count; i++)
        if (!(floats[i] >= 0 && floats[i] <= 255)) return false;
    return true;
}

static void fit_image(void)
{
    linex_image image = {fuzz_between(1, MOST_PIXELS), fuzz_between(1, MOST_PIXELS), any_channels(), NULL, NULL};
    size_t cells = image.width * image.height * image.channels, channels = any_channels();
    size_t width = fuzz_between(1, MOST_PIXELS), height = fuzz_between(1, MOST_PIXELS);
    double backdrop[3] = {fuzz_byte(), fuzz_byte(), fuzz_byte()};
    if (fuzz_rarely(2))
        image.floats = any_floats(cells);
    else
        image.bytes = any_bytes(cells);
    bool known = all_are_colors(cells, image.floats);
    float *out = fuzz_array(width * height * channels, sizeof *out);
    if (fuzz_is_wild() && fuzz_rarely(16)) width = (size_t)1 << (32 + fuzz_below(32)), height = (size_t)1 << 31;
    if (CALL(linex_image_fit(&image, fuzz_or_null(backdrop), width, height, channels, out))) return;
    expect_colors(width * height * channels, out, known);
}

static void average_segments(void)
{
    size_t pixels = fuzz_between(1, 60), channels = any_channels(), segments = fuzz_between(1, 9);
    float *image = any_floats(pixels * channels), *averaged = fuzz_array(pixels * channels, sizeof *averaged);
    uint32_t *labels = fuzz_indices(pixels, segments);
    bool known = all_are_colors(pixels * channels, image);
    if (CALL(linex_image_average(pixels, channels, image, labels, segments, fuzz_or_null(averaged)))) return;
    expect_colors(pixels * channels, averaged, known);
}

static void blur_image(void)
{
    size_t width = fuzz_between(1, MOST_PIXELS), height = fuzz_between(1, MOST_PIXELS), channels = any_channels();
    float *image = any_floats(width * height * channels);
    float *blurred = fuzz_array(width * height * channels, sizeof *blurred);
    bool known = all_are_colors(width * height * channels, image);
    if (CALL(linex_image_blur(width, height, channels, image, fuzz_positive(), fuzz_or_null(blurred)))) return;
    expect_colors(width * height * channels, blurred, known);
}

static void expect_segments(size_t width, size_t height, const uint32_t *labels, size_t segments, bool in_scan_order)
{
    uint32_t next = 0;
    size_t pixels = width * height;
    EXPECT(segments >= 1 && segments <= pixels);
    EXPECT_BELOW(pixels, labels, segments);
    for (size_t i = 0; in_scan_order && i < pixels; i++) {
        EXPECT(labels[i] <= next);
        next += labels[i] == next;
    }
    EXPECT(!in_scan_order || next == segments);
}

/* Every label is one region: as many connected regions as labels. */
static void expect_connected(size_t width, size_t height, const uint32_t *labels, size_t segments)
{
    size_t pixels = width * height, regions = 0, *stack = fuzz_array(pixels, sizeof *stack);
    bool *seen = fuzz_array(pixels, sizeof *seen);
    memset(seen, 0, pixels);
    for (size_t start = 0; start < pixels; start++) {
        size_t top = 0;
        if (seen[start]) continue;
        regions++;
        seen[start] = true;
        stack[top++] = start;
        while (top > 0) {
            size_t at = stack[--top], x = at % width, y = at / width;
            const size_t next[] = {x > 0 ? at - 1 : at, x + 1 < width ? at + 1 : at, y > 0 ? at - width : at,
                                   y + 1 < height ? at + width : at};
            for (size_t i = 0; i < 4; i++)
                if (!seen[next[i]] && labels[next[i]] == labels[at]) seen[stack[top++] = next[i]] = true;
        }
    }
    EXPECT(regions == segments);
}

static void find_superpixels(void)
{
    static const size_t channels_of[] = {3, 1, 4};
    size_t width = fuzz_between(1, MOST_PIXELS), height = fuzz_between(1, MOST_PIXELS), segments = 0;
    size_t channels = channels_of[fuzz_below(fuzz_is_wild() ? 3 : 2)];
    uint8_t *pixels = any_bytes(width * height * channels);
    uint32_t *labels = fuzz_array(width * height, sizeof *labels);
    linex_slic_settings slic = linex_slic_defaults();
    linex_quickshift_settings shift = linex_quickshift_defaults();
    linex_status status;
    if (fuzz_rarely(2)) {
        slic.segments = fuzz_rarely(16) ? (size_t)fuzz_bits() : fuzz_between(fuzz_is_wild() ? 0 : 1, 40);
        slic.compactness = fuzz_positive();
        slic.rounds = fuzz_between(fuzz_is_wild() ? 0 : 1, 12);
        slic.sigma = fuzz_rarely(4) ? fuzz_positive() : 0;
        status = CALL(linex_slic(width, height, channels, pixels, &slic, fuzz_or_null(labels), &segments));
    } else {
        shift.ratio = fuzz_positive();
        shift.kernel = fuzz_positive();
        shift.reach = fuzz_positive();
        shift.sigma = fuzz_rarely(4) ? fuzz_positive() : 0;
        status = CALL(linex_quickshift(width, height, channels, pixels, &shift, fuzz_or_null(labels), &segments));
    }
    if (status) return;
    expect_segments(width, height, labels, segments, true);
    expect_connected(width, height, labels, segments);
}

static void find_grid(void)
{
    size_t width = fuzz_between(1, MOST_PIXELS), height = fuzz_between(1, MOST_PIXELS), found = 0;
    uint32_t *labels = fuzz_array(width * height, sizeof *labels);
    size_t segments = fuzz_rarely(8) ? (size_t)fuzz_bits() : fuzz_between(1, 40);
    if (fuzz_is_wild() && fuzz_rarely(8)) width = (size_t)1 << (32 + fuzz_below(32));
    if (CALL(linex_grid(width, height, segments, fuzz_or_null(labels), &found))) return;
    expect_segments(width, height, labels, found, false);
    expect_connected(width, height, labels, found);
}

static void write_tensor(void)
{
    size_t pixels = fuzz_between(1, 60), channels = fuzz_between(1, fuzz_is_wild() ? 5 : 4);
    linex_tensor tensor = {(linex_layout)fuzz_choice(2), fuzz_rarely(2), fuzz_positive(), NULL, NULL};
    double *spread = fuzz_array(channels, sizeof *spread);
    for (size_t c = 0; c < channels; c++) spread[c] = fuzz_positive();
    tensor.mean = fuzz_numbers(channels);
    tensor.spread = fuzz_or_null(spread);
    float *image = any_floats(pixels * channels);
    void *out = fuzz_array(pixels * channels, tensor.bytes ? 1 : sizeof(float));
    CALL(linex_tensor_write(pixels, channels, image, &tensor, 0, pixels, fuzz_or_null(out)));
}

static void compose_masks(void)
{
    size_t pixels = fuzz_between(1, 60), planes = fuzz_between(1, 4), bytes = fuzz_between(1, 16);
    size_t segments = fuzz_between(1, 9), count = fuzz_below(10), size = planes * pixels * bytes;
    uint32_t *labels = fuzz_array(pixels, sizeof *labels);
    for (size_t i = 0; i < pixels; i++)
        labels[i] = i > 0 && !fuzz_rarely(3) ? labels[i - 1] : (uint32_t)fuzz_below(segments);
    size_t run_count = linex_runs_find(0, pixels, labels, NULL);
    EXPECT(run_count >= 1 && run_count <= pixels);
    uint32_t *runs = fuzz_array(2 * run_count, sizeof *runs);
    EXPECT(linex_runs_find(0, pixels, labels, runs) == run_count);
    bool spoiled = fuzz_is_wild() && fuzz_rarely(4);
    if (spoiled) runs[fuzz_below(2 * run_count)] = fuzz_rarely(2) ? UINT32_MAX : (uint32_t)fuzz_below(70);
    uint8_t *shown = any_bytes(size), *hidden = any_bytes(size), *masks = fuzz_masks(count * segments + 1);
    uint8_t *tensors = fuzz_array(count * size, 1);
    if (CALL(linex_compose(pixels, planes, bytes, shown, hidden, run_count, runs, segments, count, masks, tensors)))
        return;
    for (size_t i = 0; !spoiled && i < count * size; i++) {
        size_t within = i % size, label = labels[within / bytes % pixels];
        EXPECT(tensors[i] == (masks[i / size * segments + label] ? shown : hidden)[within]);
    }
}

void fuzz_room(void)
{
    static void (*const functions[])(void) = {fit_image, average_segments, blur_image,   find_superpixels,
                                              find_grid, write_tensor,     compose_masks};
    functions[fuzz_below(sizeof functions / sizeof *functions)]();
}
