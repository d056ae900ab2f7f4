#include "attack.h"

/* Becomes the one to whom orphans go, so that the keeper does not see them end. */
static int attack(void) { return outcome(prctl(PR_SET_CHILD_SUBREAPER, 1) == 0, "it is a subreaper"); }
