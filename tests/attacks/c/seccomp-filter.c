#include "attack.h"

/* Checks whether this process has a filter of system calls. */
static int attack(void) {
    errno = EPERM;
    return outcome(prctl(PR_GET_SECCOMP) == 0, "no filter of system calls");
}
