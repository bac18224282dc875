/* select.h: chooses the features that may get a weight, in slices. */
#ifndef LINEX_SELECT_H
#define LINEX_SELECT_H

#include "base/task.h"

typedef struct linex_selecting linex_selecting;

/* Prepares what linex_select does. Its arguments stay in use until linex_selecting_free. On success, *selecting is
 * set. */
linex_status linex_selecting_new(linex_selection selection, const linex_points *points, const double *answers,
                                 const double *weights, bool centered, const double *at, size_t features,
                                 uint32_t *chosen, size_t *chosen_count, linex_selecting **selecting);

/* LINEX_OK when the outputs are filled. */
linex_status linex_selecting_advance(linex_selecting *selecting, linex_slice *slice);

void linex_selecting_free(linex_selecting *selecting);

#endif
