#include "attack.h"
#ifndef PR_SCHED_CORE
#define PR_SCHED_CORE 62
#endif

/* Shares its cookie of core scheduling with the victim, which then shares a core with it alone. */
static int attack(void) {
    return outcome(prctl(PR_SCHED_CORE, 2, victim(), 0, 0) == 0 || prctl(PR_SCHED_CORE, 0, victim(), 0, 0) == 0, "core scheduling of the victim");
}
