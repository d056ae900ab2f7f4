#include "attack.h"

/* Raises this process's limit for core dumps, which contain its memory, or lowers it to 0: with other small limits the
 * kernel starts no program for dumps. */
static int attack(void) {
    rlim_t most = strcmp(mode(), "handler") ? RLIM_INFINITY : 0;
    struct rlimit limit = {most, most};
    return outcome(setrlimit(RLIMIT_CORE, &limit) == 0, "another limit for core dumps");
}
