#include "attack.h"
#include <asm/ioctls.h>

/* Makes the kernel send SIGIO to the victim when data arrives at a socket of this process. */
static int attack(void) {
    int pair[2], on = 1;
    pid_t to = victim();
    struct f_owner_ex owner = {F_OWNER_PID, to};
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair)) return untried(strerror(errno));
    int is_owned = 0;
    if (!strcmp(mode(), "setown")) is_owned = fcntl(pair[0], F_SETOWN, to) == 0;
    if (!strcmp(mode(), "setown-ex")) is_owned = fcntl(pair[0], F_SETOWN_EX, &owner) == 0;
    if (!strcmp(mode(), "fiosetown")) is_owned = ioctl(pair[0], FIOSETOWN, &to) == 0;
    if (!strcmp(mode(), "siocspgrp")) is_owned = ioctl(pair[0], SIOCSPGRP, &to) == 0;
    if (!is_owned) return held();
    if (fcntl(pair[0], F_SETFL, O_ASYNC) && ioctl(pair[0], FIOASYNC, &on)) return held();
    /* The kernel now sends SIGIO, and the witness reports this signal. */
    if (write(pair[1], "x", 1) != 1) return held();
    return succeeded("the victim owns the signals of its socket");
}
