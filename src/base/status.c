/* status.c: the text of each status code. */
#include "linex.h"

const char *linex_status_text(linex_status status)
{
    switch (status) {
    case LINEX_OK:
        return "ok";
    case LINEX_BAD_ARGUMENT:
        return "an argument is out of range";
    case LINEX_NO_MEMORY:
        return "out of memory";
    case LINEX_DEGENERATE:
        return "the system of equations is singular; use a ridge above zero";
    case LINEX_NOT_CONVERGED:
        return "the game did not converge";
    case LINEX_UNFINISHED:
        return "the task has more work to do";
    case LINEX_OVERFLOW:
        return "a result is beyond the range of double numbers";
    }
    return "unknown status";
}
