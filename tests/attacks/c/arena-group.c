#include "attack.h"

/* Joins the process group of any process outside the sandbox, such as the arena. */
static int attack(void) {
    DIR *processes = opendir("/proc");
    pid_t own = getpgrp(), group, player = getppid();
    for (struct dirent *entry; processes && (entry = readdir(processes));) {
        pid_t pid = (pid_t)atoi(entry->d_name);
        if (pid <= 0 || (group = getpgid(pid)) <= 0 || group == own || group == getpid() || group == player) continue;
        if (setpgid(0, group) == 0) return succeeded("it is in the process group of another");
    }
    errno = EPERM;
    return held();
}
