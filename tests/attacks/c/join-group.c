#include "attack.h"

/* Joins the process group or the session of the victim, so that signals to the group are its own to send. */
static int attack(void) {
    pid_t group = getpgid(victim());
    return outcome(group > 0 && setpgid(0, group) == 0, "it is in the victim's process group");
}
