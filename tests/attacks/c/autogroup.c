#include "attack.h"

/* Its session gets more or less of the core than the arena's. */
static int attack(void) {
    int file = open("/proc/self/autogroup", O_WRONLY);
    return outcome(file >= 0 && write(file, "1", 1) == 1, "the weight of its session");
}
