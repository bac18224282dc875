/* student.h: quantiles of Student's t distribution, for intervals from few groups. */
#ifndef LINEX_STUDENT_H
#define LINEX_STUDENT_H

#include <stddef.h>

/* Returns the 97.5 % quantile, exact to 0.001. A 95 % interval is this many standard errors wide on each side.
 *
 * freedom  degrees of freedom; > 0 */
double linex_student_quantile(size_t freedom);

#endif
