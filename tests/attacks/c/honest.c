#include "attack.h"

/* Attacks nothing: its games are those that all others must play. */
static int attack(void) { return held(); }
