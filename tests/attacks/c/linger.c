#include "attack.h"

/* Stays when it should end, or seems to have ended when it has not. The arena is to end all of it. */
static int attack(void) {
    pid_t child = strcmp(mode(), "vfork") ? fork() : vfork();
    if (child > 0) {
        errno = 0;
        return held();
    }
    if (strcmp(mode(), "group")) setsid();
    if (!strcmp(mode(), "vfork")) {
        execl("/proc/self/exe", "player", "try", "c/linger", "group", at("own", "vfork"), (char *)NULL);
        _exit(1);
    }
    if (!strcmp(mode(), "twice") && fork() > 0) _exit(0);
    if (!strcmp(mode(), "deaf"))
        for (int number = 1; number < 65; number++) signal(number, SIG_IGN);
    if (!strcmp(mode(), "closed"))
        for (int file = 0; file < 64; file++) close(file);
    if (!strcmp(mode(), "stopped")) raise(SIGSTOP);
    if (!strcmp(mode(), "runner"))
        /* A new process every moment, so that a list of processes is old when it is read. */
        for (int i = 0; i < 2000; i++) {
            if (fork() > 0) _exit(0);
            usleep(2000);
        }
    if (!strcmp(mode(), "orphans"))
        for (int i = 0; i < 20; i++)
            if (fork() == 0) break;
    sleep(30);
    _exit(0);
}
