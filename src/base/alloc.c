#include "base/alloc.h"

#include <stdint.h>
#include <stdlib.h>

double *linex_room(double count)
{
    if (!(count <= (double)(SIZE_MAX / sizeof(double)))) return NULL;
    size_t wanted = (size_t)count;
    return calloc(wanted ? wanted : 1, sizeof(double));
}

void *linex_room_of(double count, size_t size)
{
    if (!(count <= (double)(SIZE_MAX / 2 / size))) return NULL;
    size_t wanted = (size_t)count * size;
    return malloc(wanted ? wanted : 1);
}
