#include "attack.h"

/* Raises this process's limit for core dumps, which contain its memory. */
static int attack(void) {
    struct rlimit limit;
    getrlimit(RLIMIT_CORE, &limit);
    limit.rlim_cur = limit.rlim_max = RLIM_INFINITY;
    return outcome(setrlimit(RLIMIT_CORE, &limit) == 0, "cores without a limit");
}
