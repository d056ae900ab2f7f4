#include "attack.h"

/* Joins the victim's process group, so that it can send signals to the whole group. */
static int attack(void) {
    pid_t group = getpgid(victim());
    return outcome(group > 0 && setpgid(0, group) == 0, "it is in the victim's process group");
}
