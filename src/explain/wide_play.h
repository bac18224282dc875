/* wide_play.h: plays the games of wide fits without Gram matrices. */
#ifndef LINEX_WIDE_PLAY_H
#define LINEX_WIDE_PLAY_H

#include "explain/environment_fits.h"

const linex_wide_player *linex_fits_wide_player(void);

#endif
