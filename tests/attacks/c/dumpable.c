#include "attack.h"

/* Others of its user may read its memory, or it may leave a core. */
static int attack(void) {
    struct rlimit limit;
    getrlimit(RLIMIT_CORE, &limit);
    limit.rlim_cur = limit.rlim_max = RLIM_INFINITY;
    return outcome(setrlimit(RLIMIT_CORE, &limit) == 0, "cores without a limit");
}
