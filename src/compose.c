#include <math.h>
#include <string.h>

#include "linex.h"

linex_status linex_tensor_write(size_t pixels, size_t channels, const float *picture, const linex_tensor *tensor,
                                void *out)
{
    if (!pixels || !channels || channels > 4 || !picture || !tensor || !out) return LINEX_BAD_ARGUMENT;
    if (!tensor->bytes && (!tensor->mean || !tensor->spread)) return LINEX_BAD_ARGUMENT;
    bool planar = tensor->layout == LINEX_NCHW;
    for (size_t i = 0; i < pixels; i++) {
        for (size_t c = 0; c < channels; c++) {
            size_t to = planar ? c * pixels + i : i * channels + c;
            double value = (double)picture[i * channels + c];
            if (tensor->bytes)
                ((uint8_t *)out)[to] = (uint8_t)fmax(0, fmin(255, floor(value + 0.5)));
            else
                ((float *)out)[to] = (float)((value * tensor->scale - tensor->mean[c]) / tensor->spread[c]);
        }
    }
    return LINEX_OK;
}

size_t linex_runs_find(size_t pixels, const uint32_t *labels, uint32_t *runs)
{
    size_t found = 0;
    for (size_t i = 0; i < pixels; i++) {
        if (i > 0 && labels[i] == labels[i - 1]) continue;
        if (runs) {
            runs[2 * found] = (uint32_t)i;
            runs[2 * found + 1] = labels[i];
        }
        found++;
    }
    return found;
}

/* One plane under one mask. Neighbouring runs from the same source are copied together. */
static void compose_plane(size_t pixels, size_t bytes, const unsigned char *shown, const unsigned char *hidden,
                          size_t count, const uint32_t *runs, const uint8_t *mask, unsigned char *out)
{
    size_t run = 0;
    while (run < count) {
        uint8_t there = mask[runs[2 * run + 1]];
        size_t start = runs[2 * run];
        for (run++; run < count && mask[runs[2 * run + 1]] == there; run++) continue;
        size_t end = run < count ? runs[2 * run] : pixels;
        memcpy(out + start * bytes, (there ? shown : hidden) + start * bytes, (end - start) * bytes);
    }
}

static bool runs_are_good(size_t pixels, size_t count, const uint32_t *runs, size_t segments)
{
    if (runs[0] != 0) return false;
    for (size_t i = 0; i < count; i++)
        if (runs[2 * i + 1] >= segments || runs[2 * i] >= pixels || (i > 0 && runs[2 * i] <= runs[2 * i - 2]))
            return false;
    return true;
}

linex_status linex_compose(size_t pixels, size_t planes, size_t bytes, const void *shown, const void *hidden,
                           size_t run_count, const uint32_t *runs, size_t segments, size_t count,
                           const uint8_t *masks, void *tensors)
{
    if (!pixels || !planes || !bytes || !shown || !hidden || !run_count || !runs || !masks || !tensors)
        return LINEX_BAD_ARGUMENT;
    if (!runs_are_good(pixels, run_count, runs, segments)) return LINEX_BAD_ARGUMENT;
    size_t plane = pixels * bytes;
    unsigned char *next = tensors;
    for (size_t i = 0; i < count; i++) {
        for (size_t p = 0; p < planes; p++, next += plane)
            compose_plane(pixels, bytes, (const unsigned char *)shown + p * plane,
                          (const unsigned char *)hidden + p * plane, run_count, runs, masks + i * segments, next);
    }
    return LINEX_OK;
}
