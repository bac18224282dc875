/* fuzz_libfuzzer.c: runs a harness under libFuzzer. */
#include "fuzz_support.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
const char *__asan_default_options(void);

/* fuzz_close looks for leaks after every execution. */
const char *__asan_default_options(void)
{
    return "detect_leaks=0";
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    fuzz_execute(bytes, size, 0);
    return 0;
}
