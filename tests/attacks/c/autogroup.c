#include "attack.h"

/* Changes the share of the core that the kernel gives to this session. */
static int attack(void) {
    int file = open("/proc/self/autogroup", O_WRONLY);
    return outcome(file >= 0 && write(file, "1", 1) == 1, "the weight of its session");
}
