#include "attack.h"

/* Reads a limit of the victim, or raises a limit of its own. */
static int attack(void) {
    struct rlimit limit, more = {RLIM_INFINITY, RLIM_INFINITY};
    if (!strcmp(mode(), "victim")) return outcome(syscall(SYS_prlimit64, victim(), RLIMIT_NOFILE, NULL, &limit) == 0, "the victim's limits");
    int which = !strcmp(mode(), "memory") ? RLIMIT_DATA : !strcmp(mode(), "queues") ? RLIMIT_MSGQUEUE : !strcmp(mode(), "locked") ? RLIMIT_MEMLOCK
        : !strcmp(mode(), "file-size") ? RLIMIT_FSIZE : !strcmp(mode(), "nice") ? RLIMIT_NICE : RLIMIT_RTPRIO;
    if (which == RLIMIT_DATA) {
        getrlimit(which, &limit);
        if (limit.rlim_max == RLIM_INFINITY) return untried("memory is limited by a cgroup");
    }
    if (!strcmp(mode(), "file-size")) {
        getrlimit(which, &limit);
        errno = EPERM;
        return outcome(limit.rlim_max == RLIM_INFINITY, "files without a limit");
    }
    return outcome(setrlimit(which, &more) == 0, "a limit of its own is gone");
}
