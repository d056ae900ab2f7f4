#include "attack.h"

/* Creates a timer of the kernel that sends SIGCONT while the process is stopped. */
static int attack(void) {
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGCONT};
    int number;
    return outcome(syscall(SYS_timer_create, CLOCK_MONOTONIC, &event, &number) == 0, "a timer with SIGCONT");
}
