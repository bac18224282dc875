/* print_bits.h: prints doubles as their 64 bits, for the node tests that compare them with WebAssembly. */
#ifndef LINEX_PRINT_BITS_H
#define LINEX_PRINT_BITS_H

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Prints each value as 16 hexadecimal digits, followed by the separator. */
static void print_bits(size_t count, const double *values, char separator)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t bits;
        memcpy(&bits, values + i, sizeof bits);
        printf("%016" PRIx64 "%c", bits, separator);
    }
}

#endif
