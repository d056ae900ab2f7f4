#include "attack.h"

/* A session that it shares with the arena: its autogroup, its terminal. */
static int attack(void) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d", getsid(0));
    /* In a namespace of its own the leader is 0 if it is outside. */
    errno = EPERM;
    return outcome(getsid(0) == 0 || (getsid(victim()) > 0 && getsid(0) == getsid(victim())), "the session of the arena");
}
