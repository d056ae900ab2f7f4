#include "attack.h"

/* Opens the victim's timer slack for writing. */
static int attack(void) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/timerslack_ns", victim());
    return outcome(open(path, O_WRONLY) >= 0, "the timer slack of the victim is open");
}
