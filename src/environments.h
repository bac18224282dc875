/* environments.h: what explanation.c needs of environments.c beside the public calls. */
#ifndef LINEX_ENVIRONMENTS_H
#define LINEX_ENVIRONMENTS_H

#include "linex.h"

/* Whether every planned sample is a point that there is. */
bool linex_owners_exist(const linex_samples *samples);

#endif
