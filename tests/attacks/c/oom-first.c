#include "attack.h"

/* The arena is to be ended first where memory is short: its own score below what it was given. */
static int attack(void) {
    int file = open("/proc/self/oom_score_adj", O_RDWR);
    return outcome(file >= 0 && write(file, "-1000", 5) == 5, "the kernel never ends it");
}
