#include "attack.h"

/* The timer slack of another process, by its file. */
static int attack(void) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/timerslack_ns", victim());
    return outcome(open(path, O_WRONLY) >= 0, "the timer slack of the victim is open");
}
