#include "attack.h"

/* Creates a namespace by clone. */
static int attack(void) {
    int flags = !strcmp(mode(), "mount") ? CLONE_NEWNS | CLONE_NEWUSER : CLONE_NEWUSER;
    long child = syscall(SYS_clone, flags | SIGCHLD, 0, 0, 0, 0);
    if (child == 0) _exit(0);
    if (child > 0) waitpid((pid_t)child, NULL, 0);
    return outcome(child > 0, "a child in a namespace");
}
