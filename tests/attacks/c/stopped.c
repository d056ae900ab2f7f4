#include "attack.h"
#include <sys/signalfd.h>
#include <sys/timerfd.h>

/* Gives the kernel work that continues while the arena has stopped this process in its opponent's time. */
static int attack(void) {
    const char *how = mode();
    if (!strcmp(how, "timer")) return outcome(timerfd_create(CLOCK_MONOTONIC, 0) >= 0, "a timer that a million may watch");
    if (!strcmp(how, "signal")) {
        sigset_t all;
        sigfillset(&all);
        return outcome(signalfd(-1, &all, 0) >= 0, "signals that a million may watch");
    }
    size_t size = (size_t)64 << 20;
    if (!strcmp(how, "populate"))
        return outcome(mmap(0, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_POPULATE, -1, 0) != MAP_FAILED,
                       "a mapping that is filled in one call");
    if (!strcmp(how, "advise")) {
        void *memory = mmap(0, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        return outcome(memory != MAP_FAILED && madvise(memory, size, 22) == 0, "a mapping that is filled in one call");
    }
    return untried("unknown mode");
}
