/* control.h: the two ways to find a control variate, behind one interface.
 *
 * A page mostly needs one of them. The linker drops the code of the other, because nothing names both except
 * linex_answers_adjust. */
#ifndef LINEX_CONTROL_H
#define LINEX_CONTROL_H

#include "linex.h"
#include "base/task.h"

/* What was found. */
typedef struct {
    const double *values;    /* count: what to subtract from the answers; NULL if there is nothing to subtract */
    const double *residuals; /* count: of the answers, each from a fit without its sample */
    double gain;             /* see linex_adjusted */
    double ridge;            /* for all fits; may be LINEX_RIDGE_AUTO */
    double variance;         /* the mean variance of the weights, if it is known without the residuals; otherwise 0 */
} linex_control;

/* How it is found. */
typedef struct {
    linex_adjusted_kind kind;
    /* Whether it can be found for these samples. */
    bool (*suits)(const linex_samples *samples);
    /* Returns NULL without memory. The inputs are kept, not copied.
     *
     * totals  count: the weight of all copies of a point
     * ridge   of the settings */
    void *(*open)(const linex_samples *samples, const linex_points *points, const double *totals, double ridge);
    linex_status (*advance)(void *state, linex_slice *slice);
    linex_control (*result)(const void *state);
    void (*close)(void *state);
} linex_control_kind;

#endif
