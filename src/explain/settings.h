/* settings.h: checks the settings of an explanation. */
#ifndef LINEX_SETTINGS_H
#define LINEX_SETTINGS_H

#include "linex.h"

/* Returns whether all settings are known and in their range, except those of the environments. */
bool linex_settings_are_good(const linex_settings *settings);

#endif
