#include "attack.h"
#include <sys/epoll.h>

/* So many watches that all processes of a sandbox together could take those of the user: then no program in Node starts. */
static int attack(void) {
    long most = 0, made = 0, processes = 256;
    FILE *file = fopen("/proc/sys/fs/epoll/max_user_watches", "r");
    if (!file || fscanf(file, "%ld", &most) != 1) return untried("no such limit");
    fclose(file);
    int watched[4096], count = 0, watchers[4096], many = 0;
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    long half = (long)limit.rlim_cur / 2 < 2048 ? (long)limit.rlim_cur / 2 : 2048;
    int pipes[2];
    if (pipe(pipes)) return held();
    while (count < half && (watched[count] = dup(pipes[0])) >= 0) count++;
    while (many < 2048 && (watchers[many] = epoll_create1(0)) >= 0) many++;
    for (int i = 0; i < many && made * processes <= most; i++)
        for (int j = 0; j < count && made * processes <= most; j++) {
            struct epoll_event event = {.events = EPOLLIN};
            if (epoll_ctl(watchers[i], EPOLL_CTL_ADD, watched[j], &event)) goto done;
            made++;
        }
done:
    return outcome(made * processes > most, "its share of the watches of the user is more than all");
}
