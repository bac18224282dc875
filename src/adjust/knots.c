/* knots.c: where steps of standard normal numbers are, and what is known about them. */
#include "adjust/knots.h"

const double linex_knots[LINEX_KNOTS] = {-1.4, -0.8, -0.25, 0.25, 0.8, 1.4};
const double linex_knot_densities[LINEX_KNOTS] = {0.1497274656357449, 0.2896915527614828, 0.3866681168028493,
                                                  0.3866681168028493, 0.2896915527614828, 0.1497274656357449};
const double linex_knot_shares[LINEX_KNOTS] = {0.9192433407662289, 0.7881446014166033, 0.5987063256829237,
                                               0.4012936743170763, 0.2118553985833967, 0.08075665923377107};
