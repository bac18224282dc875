#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "image/color.h"
#include "linex.h"
#include "base/alloc.h"
#include "image/superpixels.h"

linex_quickshift_settings linex_quickshift_defaults(void)
{
    return (linex_quickshift_settings){.ratio = 0.2, .kernel = 4, .reach = 200, .sigma = 0};
}

typedef struct {
    int32_t dx, dy;
    uint32_t square; /* dx^2 + dy^2 */
} offset;

typedef struct {
    size_t width, height;
    size_t window; /* how far apart two pixels may be in either direction and still see each other */
    float ratio;   /* squared, as it weighs on squared distances in Lab */
    double kernel, reach;
    float *lab;      /* height x 3 x width */
    float *density;  /* height x width */
    float *weights;  /* width */
    uint32_t *links; /* height x width: the pixel that a pixel is linked to, itself for the root of a tree */
    size_t offset_count;
    offset *offsets; /* the window's, nearest first */
} shifting;

/* How crowded it is around each pixel. Each pair is weighed once and counts for both: half the window is enough. */
static void measure_density(shifting *shift)
{
    size_t width = shift->width, height = shift->height, window = shift->window;
    /* exp(-square / (2 kernel^2)) as a power of two. */
    float factor = (float)fmax(-0.5 / (shift->kernel * shift->kernel) * 1.4426950408889634, -1e30);
    memset(shift->density, 0, width * height * sizeof *shift->density);
    for (size_t y = 0; y < height; y++)
        for (size_t dy = 0; dy <= window && y + dy < height; dy++)
            for (size_t turn = dy ? 0 : window + 1; turn <= 2 * window; turn++) {
                /* One row begins `near` pixels in, or the other `far`. */
                size_t near = turn < window ? window - turn : 0, far = turn > window ? turn - window : 0;
                if (near + far >= width) continue;
                size_t count = width - near - far;
                const float *lab = shift->lab + 3 * width * y;
                float space = (float)((near + far) * (near + far) + dy * dy);
                linex_lab_weigh(count, width, lab + near, lab + 3 * width * dy + far, shift->ratio, space, factor,
                                shift->weights);
                linex_lab_add(count, shift->weights, shift->density + width * y + near);
                linex_lab_add(count, shift->weights, shift->density + width * (y + dy) + far);
            }
}

/* Nearest first; of equals, in the order of the scan. */
static int by_distance(const void *one, const void *other)
{
    const offset *a = one, *b = other;
    if (a->square != b->square) return a->square < b->square ? -1 : 1;
    if (a->dy != b->dy) return a->dy < b->dy ? -1 : 1;
    return a->dx < b->dx ? -1 : a->dx > b->dx;
}

static void list_offsets(shifting *shift)
{
    int32_t window = (int32_t)shift->window;
    int32_t across = shift->width <= shift->window ? (int32_t)shift->width - 1 : window;
    int32_t down = shift->height <= shift->window ? (int32_t)shift->height - 1 : window;
    offset *next = shift->offsets;
    for (int32_t dy = -down; dy <= down; dy++)
        for (int32_t dx = -across; dx <= across; dx++)
            if (dx || dy) *next++ = (offset){dx, dy, (uint32_t)(dx * dx + dy * dy)};
    qsort(shift->offsets, shift->offset_count, sizeof *shift->offsets, by_distance);
}

/* The nearest pixel of higher density, or of the same and earlier in the scan; itself if the window has none. */
static uint32_t link_of(const shifting *shift, size_t x, size_t y)
{
    size_t width = shift->width, at = y * width + x, found = at;
    const float *here = shift->lab + 3 * width * y + x;
    float density = shift->density[at], nearest = (float)fmin(shift->reach * shift->reach, 1e38);
    for (size_t i = 0; i < shift->offset_count; i++) {
        const offset *to = shift->offsets + i;
        /* Those that follow are further away in space alone. */
        if ((float)to->square > nearest) break;
        size_t nx = x + (size_t)to->dx, ny = y + (size_t)to->dy;
        /* Left of the first column wraps around to far right of the last. */
        if (nx >= width || ny >= shift->height) continue;
        size_t there = ny * width + nx;
        if (shift->density[there] < density || (shift->density[there] == density && there > at)) continue;
        const float *other = shift->lab + 3 * width * ny + nx;
        float dl = here[0] - other[0], da = here[width] - other[width], db = here[2 * width] - other[2 * width];
        float square = shift->ratio * (dl * dl + da * da + db * db) + (float)to->square;
        if (square > nearest || (square == nearest && found != at)) continue;
        nearest = square;
        found = there;
    }
    return (uint32_t)found;
}

static uint32_t tree_root(uint32_t *links, uint32_t pixel)
{
    while (links[pixel] != pixel) pixel = links[pixel] = links[links[pixel]];
    return pixel;
}

static void release(shifting *shift)
{
    void *blocks[] = {shift->lab, shift->density, shift->weights, shift->links, shift->offsets};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) free(blocks[i]);
}

static linex_status prepare(const linex_picture *picture, const linex_quickshift_settings *settings, shifting *shift)
{
    double width = (double)picture->width, height = (double)picture->height;
    double window = fmin(ceil(3 * settings->kernel), fmax(fmax(width, height) - 1, 1));
    /* Further than the picture reaches nobody looks. */
    double offsets = (2 * fmin(window, width - 1) + 1) * (2 * fmin(window, height - 1) + 1);
    *shift = (shifting){.width = picture->width, .height = picture->height, .window = (size_t)window};
    shift->ratio = (float)fmin(settings->ratio * settings->ratio, 1e30);
    shift->kernel = settings->kernel;
    shift->reach = settings->reach;
    /* The squares of 32 bits end here, and patience long before. */
    if (window > 30000) return LINEX_NO_MEMORY;
    shift->lab = linex_alloc_items(3 * width * height, sizeof *shift->lab);
    shift->density = linex_alloc_items(width * height, sizeof *shift->density);
    shift->links = linex_alloc_items(width * height, sizeof *shift->links);
    shift->weights = linex_alloc_items(width, sizeof *shift->weights);
    shift->offset_count = (size_t)(offsets - 1);
    shift->offsets = linex_alloc_items(offsets, sizeof *shift->offsets);
    bool room = shift->lab && shift->density && shift->links && shift->weights && shift->offsets;
    return room ? LINEX_OK : LINEX_NO_MEMORY;
}

/* Links, then labels: each pixel's is the root of its tree. */
static void shift_pixels(const linex_picture *picture, shifting *shift, uint32_t *labels)
{
    size_t width = shift->width, height = shift->height;
    for (size_t y = 0; y < height; y++) linex_picture_row(picture, y, 0, 1, width, shift->lab + 3 * width * y);
    measure_density(shift);
    list_offsets(shift);
    for (size_t y = 0; y < height; y++)
        for (size_t x = 0; x < width; x++) shift->links[y * width + x] = link_of(shift, x, y);
    for (uint32_t i = 0; i < width * height; i++) labels[i] = tree_root(shift->links, i);
}

/* The roots are the anchors: they are moved to the front of the links. Returns how many. */
static size_t gather_roots(size_t count, const uint32_t *labels, uint32_t *links)
{
    size_t roots = 0;
    for (uint32_t i = 0; i < count; i++)
        if (labels[i] == i) links[roots++] = i;
    return roots;
}

static bool sound(const linex_quickshift_settings *settings)
{
    return settings && settings->ratio > 0 && isfinite(settings->ratio) && settings->kernel > 0 &&
           isfinite(settings->kernel) && settings->reach > 0 && isfinite(settings->reach) && settings->sigma >= 0 &&
           isfinite(settings->sigma);
}

/* Parts of a tree without its root are crumbs below this: a blot of half a kernel's width, or half a mean segment. */
static size_t crumb_size(size_t count, size_t roots, double kernel)
{
    return (size_t)fmin(kernel * kernel / 2, (double)count / (double)roots / 2);
}

linex_status linex_quickshift(size_t width, size_t height, size_t channels, const uint8_t *pixels,
                              const linex_quickshift_settings *settings, uint32_t *labels, size_t *segments)
{
    if (!linex_is_picture(width, height, channels, pixels) || !sound(settings) || !labels || !segments)
        return LINEX_BAD_ARGUMENT;
    linex_picture picture;
    shifting shift = {0};
    linex_status status = linex_picture_open(width, height, channels, pixels, false, settings->sigma, &picture);
    if (!status) status = prepare(&picture, settings, &shift);
    if (!status) shift_pixels(&picture, &shift, labels);
    linex_picture_close(&picture);
    uint32_t *anchors = shift.links;
    shift.links = NULL;
    release(&shift);
    if (!status) {
        size_t roots = gather_roots(width * height, labels, anchors);
        size_t smallest = crumb_size(width * height, roots, settings->kernel);
        status = linex_regions_settle(width, height, channels, pixels, smallest, roots, anchors, labels, segments);
    }
    free(anchors);
    return status;
}
