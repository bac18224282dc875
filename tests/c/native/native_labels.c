/* native_labels.c: computes superpixels natively, for tests/data/superpixels.test.js to compare with WebAssembly.
 *
 *     native_labels width height slic sigma segments compactness
 *     native_labels width height quickshift sigma ratio kernel reach
 *
 * It reads RGB pixels from standard input and writes the labels to standard output, in the machine's byte order. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "linex.h"

int main(int count, char **words)
{
    if (count < 7) return 1;
    size_t width = (size_t)atoi(words[1]), height = (size_t)atoi(words[2]), segments;
    double numbers[4] = {0};
    for (int i = 4; i < count && i < 8; i++) numbers[i - 4] = atof(words[i]);
    uint8_t *pixels = malloc(3 * width * height);
    uint32_t *labels = malloc(width * height * sizeof *labels);
    if (!pixels || !labels || fread(pixels, 3, width * height, stdin) != width * height) return 1;

    linex_slic_settings slic = {(size_t)numbers[1], numbers[2], 10, numbers[0]};
    linex_quickshift_settings shift = {numbers[1], numbers[2], numbers[3], numbers[0]};
    linex_status status = strcmp(words[3], "slic") == 0
                              ? linex_slic(width, height, 3, pixels, &slic, labels, &segments)
                              : linex_quickshift(width, height, 3, pixels, &shift, labels, &segments);
    if (!status) fwrite(labels, sizeof *labels, width * height, stdout);
    free(pixels);
    free(labels);
    return (int)status;
}
