#include "attack.h"

/* Creates a namespace by clone3. A filter of system calls cannot see its flags, which are in memory. */
static int attack(void) {
    struct { uint64_t flags, pidfd, child_tid, parent_tid, exit_signal, stack, stack_size, tls; } how = {
        .flags = 0x10000000, .exit_signal = SIGCHLD};
    long child = syscall(435, &how, sizeof how);
    if (child == 0) _exit(0);
    if (child > 0) waitpid((pid_t)child, NULL, 0);
    return outcome(child > 0, "a child in a namespace");
}
