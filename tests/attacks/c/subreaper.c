#include "attack.h"

/* Becomes the parent of orphaned processes, so that the sandbox's supervisor does not notice when they end. */
static int attack(void) { return outcome(prctl(PR_SET_CHILD_SUBREAPER, 1) == 0, "it is a subreaper"); }
