/* compose.c: images as tensors, and masked tensors composed from a shown and a hidden one. */
#include <math.h>
#include <string.h>

#include "linex.h"

linex_status linex_tensor_write(size_t pixels, size_t channels, const float *image, const linex_tensor *tensor,
                                size_t first, size_t end, void *out)
{
    if (!pixels || !channels || channels > 4 || !image || !tensor || end > pixels || !out) return LINEX_BAD_ARGUMENT;
    if (!tensor->bytes && (!tensor->mean || !tensor->spread)) return LINEX_BAD_ARGUMENT;
    bool planar = tensor->layout == LINEX_NCHW;
    for (size_t i = first; i < end; i++) {
        for (size_t c = 0; c < channels; c++) {
            size_t to = planar ? c * pixels + i : i * channels + c;
            double value = (double)image[i * channels + c];
            if (tensor->bytes)
                ((uint8_t *)out)[to] = (uint8_t)fmax(0, fmin(255, floor(value + 0.5)));
            else
                ((float *)out)[to] = (float)((value * tensor->scale - tensor->mean[c]) / tensor->spread[c]);
        }
    }
    return LINEX_OK;
}

size_t linex_runs_find(size_t first, size_t end, const uint32_t *labels, uint32_t *runs)
{
    size_t found = 0;
    for (size_t i = first; i < end; i++) {
        if (i > 0 && labels[i] == labels[i - 1]) continue;
        if (runs) {
            runs[2 * found] = (uint32_t)i;
            runs[2 * found + 1] = labels[i];
        }
        found++;
    }
    return found;
}

/* One plane of the two tensors, and the runs of their segments. */
typedef struct {
    size_t bytes, size; /* bytes per pixel, bytes of the plane */
    const unsigned char *shown, *hidden;
    size_t count;
    const uint32_t *runs;
} source_plane;

/* The bytes processed at once. All processors and WebAssembly's SIMD support this size. */
typedef uint64_t block __attribute__((vector_size(16), aligned(1), may_alias));
enum { BLOCK = sizeof(block), AT_ONCE = 4 };

/* The block that starts at offset BLOCK - k has bytes 255 from byte k on, and 0 before. */
static const uint8_t EDGE[2 * BLOCK] = {[BLOCK] = 255, 255, 255, 255, 255, 255, 255, 255,
                                        255,           255, 255, 255, 255, 255, 255, 255};

/* Composes one plane under four masks, block by block. Each run costs a mispredicted branch, because its length
 * is unpredictable; four tensors share that cost. Four named masks stay in registers; an array would not.
 *
 * mask_stride  bytes from one mask to the next
 * out_stride   bytes from one tensor to the next */
static void compose_four(const source_plane *from, size_t mask_stride, const uint8_t *masks, size_t out_stride,
                         unsigned char *out)
{
    unsigned char *a = out, *b = a + out_stride, *c = b + out_stride, *d = c + out_stride;
    /* For the next block, 255 in the bytes that come from the shown tensor. Several runs can contribute to it. */
    block in_a = {0}, in_b = {0}, in_c = {0}, in_d = {0};
    size_t at = 0, start = 0;
    const uint32_t *runs = from->runs;
    for (size_t run = 0; run < from->count; run++, runs += 2) {
        const uint8_t *mask = masks + runs[1];
        const block zero = {0}, rest = *(const block *)(EDGE + BLOCK - (start - at));
        block all_a = zero - (uint64_t)(mask[0] != 0), all_b = zero - (uint64_t)(mask[mask_stride] != 0);
        block all_c = zero - (uint64_t)(mask[2 * mask_stride] != 0);
        block all_d = zero - (uint64_t)(mask[3 * mask_stride] != 0);
        in_a ^= (in_a ^ all_a) & rest, in_b ^= (in_b ^ all_b) & rest;
        in_c ^= (in_c ^ all_c) & rest, in_d ^= (in_d ^ all_d) & rest;
        start = run + 1 < from->count ? runs[2] * from->bytes : from->size;
        for (; at + BLOCK <= start; at += BLOCK) {
            block off = *(const block *)(from->hidden + at), change = off ^ *(const block *)(from->shown + at);
            *(block *)(a + at) = off ^ (change & in_a), *(block *)(b + at) = off ^ (change & in_b);
            *(block *)(c + at) = off ^ (change & in_c), *(block *)(d + at) = off ^ (change & in_d);
            in_a = all_a, in_b = all_b, in_c = all_c, in_d = all_d;
        }
    }
    /* The last bytes, fewer than a block. */
    const block in[] = {in_a, in_b, in_c, in_d};
    const uint8_t *is_shown = (const uint8_t *)in;
    for (; at < from->size; at++, is_shown++)
        for (size_t i = 0; i < AT_ONCE; i++)
            out[i * out_stride + at] = (is_shown[i * BLOCK] ? from->shown : from->hidden)[at];
}

static bool runs_are_valid(size_t pixels, size_t count, const uint32_t *runs, size_t segments)
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
    if (!runs_are_valid(pixels, run_count, runs, segments)) return LINEX_BAD_ARGUMENT;
    source_plane from = {.bytes = bytes, .size = pixels * bytes, .count = run_count, .runs = runs};
    /* Fewer than four tensors are composed one by one, each of them four times at the same address. */
    size_t step = count < AT_ONCE ? 1 : AT_ONCE, size = planes * from.size;
    for (size_t i = 0; i < count; i += step) {
        /* The last four may include tensors that are already composed. */
        size_t first = i + step < count ? i : count - step;
        for (size_t place = 0; place < size; place += from.size) {
            from.shown = (const unsigned char *)shown + place;
            from.hidden = (const unsigned char *)hidden + place;
            compose_four(&from, step == 1 ? 0 : segments, masks + first * segments, step == 1 ? 0 : size,
                         (unsigned char *)tensors + first * size + place);
        }
    }
    return LINEX_OK;
}
