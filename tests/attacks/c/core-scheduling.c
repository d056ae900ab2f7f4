#include "attack.h"
#ifndef PR_SCHED_CORE
#define PR_SCHED_CORE 62
#endif

/* Shares a core scheduling cookie with the victim, so that only this process may share a physical core with it. */
static int attack(void) {
    return outcome(prctl(PR_SCHED_CORE, 2, victim(), 0, 0) == 0 || prctl(PR_SCHED_CORE, 0, victim(), 0, 0) == 0, "core scheduling of the victim");
}
