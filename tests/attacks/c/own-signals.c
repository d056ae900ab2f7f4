#include "attack.h"
#include <asm/ioctls.h>

/* Asks the kernel for signals with which this process could continue while the arena has stopped it. */
static int attack(void) {
    int pair[2], on = 1;
    if (pipe(pair)) return untried(strerror(errno));
    if (!strcmp(mode(), "setsig")) return outcome(fcntl(pair[0], F_SETSIG, SIGCONT) == 0, "F_SETSIG of SIGCONT");
    if (!strcmp(mode(), "fioasync")) return outcome(ioctl(pair[0], FIOASYNC, &on) == 0, "FIOASYNC");
    return outcome(fcntl(pair[0], F_SETFL, O_ASYNC) == 0 && fcntl(pair[0], F_GETFL) & O_ASYNC, "O_ASYNC");
}
