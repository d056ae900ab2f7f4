#include "attack.h"

/* Lowers its own OOM score, so that the kernel kills other processes first, such as the arena, when memory is short. */
static int attack(void) {
    int file = open("/proc/self/oom_score_adj", O_RDWR);
    return outcome(file >= 0 && write(file, "-1000", 5) == 5, "the kernel never ends it");
}
