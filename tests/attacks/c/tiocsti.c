#include "attack.h"
#include <asm/ioctls.h>

/* Types or pastes a zero byte into the user's terminal, or takes control of the terminal. */
static int attack(void) {
    char character = 0;
    int terminal = open("/dev/tty", O_RDWR | O_NOCTTY);
    if (terminal < 0) terminal = 0;
    if (!strcmp(mode(), "tiocsti") && ioctl(terminal, TIOCSTI, &character) < 0) return outcome(errno == EIO || errno == EFAULT, "TIOCSTI is reached");
    if (!strcmp(mode(), "tioclinux") && ioctl(terminal, TIOCLINUX, &character) < 0) return outcome(errno == EFAULT || errno == EINVAL, "TIOCLINUX is reached");
    if (!strcmp(mode(), "tiocsctty") && ioctl(terminal, TIOCSCTTY, 0) < 0) return held();
    if (!strcmp(mode(), "tiocspgrp")) {
        pid_t group = getpgrp();
        if (ioctl(terminal, TIOCSPGRP, &group) < 0) return held();
    }
    return succeeded("the terminal took it");
}
