#include "attack.h"

/* Leaves child processes behind that are hard to find or to end. The arena must end all of them. */
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
        /* Forks and exits every 2 ms, so that a list of processes is out of date when the arena reads it. */
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
