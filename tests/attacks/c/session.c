#include "attack.h"

/* Checks whether this process shares a session, and so an autogroup and a terminal, with the arena. */
static int attack(void) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d", getsid(0));
    /* `getsid` returns 0 if the leader of the session is outside the pid namespace. */
    errno = EPERM;
    return outcome(getsid(0) == 0 || (getsid(victim()) > 0 && getsid(0) == getsid(victim())), "the session of the arena");
}
