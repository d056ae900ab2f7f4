#include "attack.h"
#include <sys/personality.h>

/* Turns off the randomisation of addresses, and makes readable memory executable. */
static int attack(void) { return outcome(personality(ADDR_NO_RANDOMIZE | READ_IMPLIES_EXEC) >= 0, "another personality"); }
