/* alloc.c: memory allocation that checks sizes before it converts them to size_t. */
#include "base/alloc.h"

#include <stdint.h>
#include <stdlib.h>

double *linex_alloc_doubles(double count)
{
    if (!(count <= (double)(SIZE_MAX / sizeof(double)))) return NULL;
    size_t wanted = (size_t)count;
    return calloc(wanted ? wanted : 1, sizeof(double));
}

void *linex_alloc_items(double count, size_t size)
{
    if (!(count <= (double)(SIZE_MAX / 2 / size))) return NULL;
    size_t wanted = (size_t)count * size;
    return malloc(wanted ? wanted : 1);
}
