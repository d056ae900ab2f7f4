#include "attack.h"

/* Asks the kernel for a signal whenever another process creates a file in /tmp. */
static int attack(void) {
    int folder = open("/tmp", O_RDONLY | O_DIRECTORY);
    if (folder < 0) return untried(strerror(errno));
    return outcome(fcntl(folder, F_NOTIFY, DN_CREATE) == 0, "notices of what is made in /tmp");
}
