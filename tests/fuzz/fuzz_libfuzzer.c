/* fuzz_libfuzzer.c: runs a harness under libFuzzer. */
#include "fuzz_support.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    fuzz_execute(bytes, size, 0);
    return 0;
}
