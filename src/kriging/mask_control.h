/* mask_control.h: kriging as a control variate for masks.
 *
 * If the ridge is to be chosen and all samples are fitted, the adjusted answers are those of a linear function: its slopes
 * are such that the ridge fit to the answers has the slopes b of the posterior mean's linear part. Their errors are the
 * geometric mean of two: of the jackknife, in which b follows the answers as little as the prior lets it, and of least
 * squares, which follow them freely. For one weight with noise v and prior variance p, with s = p / (p + v), they are
 * s^2 v and v, and the variance of the posterior, which counts what the prior keeps from the weight too, is s v.
 *
 * Otherwise the control variate is m less its linear part, and the fit has no more bias than its ridge. */
#ifndef LINEX_MASK_CONTROL_H
#define LINEX_MASK_CONTROL_H

#include "adjust/control.h"

/* With fewer samples per part, least squares cannot follow the posterior mean. */
enum { LINEX_FEWEST_PER_PART = 2 };

/* For masks: see LINEX_ADJUSTED_KRIGING. */
const linex_control_kind *linex_mask_control_kind(void);

#endif
