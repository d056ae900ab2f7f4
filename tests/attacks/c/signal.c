#include "attack.h"
#include <sys/syscall.h>

/* Sends SIGURG, which is ignored by default, to the victim in different ways. */
static int attack(void) {
    siginfo_t info = {.si_signo = SIGURG, .si_code = SI_QUEUE};
    pid_t to = victim();
    if (!strcmp(mode(), "kill")) return outcome(kill(to, SIGURG) == 0, "kill");
    if (!strcmp(mode(), "exists")) return outcome(kill(to, 0) == 0, "kill with no signal");
    if (!strcmp(mode(), "group")) return outcome(kill(-getpgid(to), SIGURG) == 0 && getpgid(to) > 1, "killpg");
    if (!strcmp(mode(), "tkill")) return outcome(syscall(SYS_tkill, to, SIGURG) == 0, "tkill");
    if (!strcmp(mode(), "tgkill")) return outcome(syscall(SYS_tgkill, to, to, SIGURG) == 0, "tgkill");
    if (!strcmp(mode(), "queue")) return outcome(syscall(SYS_rt_sigqueueinfo, to, SIGURG, &info) == 0, "sigqueue");
    if (!strcmp(mode(), "thread-queue")) return outcome(syscall(SYS_rt_tgsigqueueinfo, to, to, SIGURG, &info) == 0, "sigqueue to a thread");
    if (!strcmp(mode(), "pidfd")) {
        int file = (int)syscall(434, to, 0);
        return outcome(file >= 0 && syscall(424, file, SIGURG, NULL, 0) == 0, "a signal by pidfd");
    }
    /* Send the signal to every process in reach. The witness reports a signal that reaches it. */
    signal(SIGURG, SIG_IGN);
    kill(-1, SIGURG);
    errno = EPERM;
    return held();
}
