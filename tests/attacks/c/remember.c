#include "attack.h"

/* Leaves a process that keeps the open files, in a new session and without environment variables. */
static void leave_a_process(void) {
    char *words[] = {"sleep", "20", NULL}, *none[] = {NULL};
    if (fork() == 0) {
        setsid();
        execve("/bin/sleep", words, none);
        _exit(0);
    }
}

/* Leaves a mark, and succeeds if it finds the mark of the previous game. */
static int attack(void) {
    char path[PATH_MAX];
    const char *name = given("name"), *where = mode();
    if (!strcmp(where, "abstract")) {
        struct sockaddr_un address = {AF_UNIX, "\0attack-remember"};
        int file = socket(AF_UNIX, SOCK_STREAM, 0);
        if (file < 0) return held();
        if (connect(file, (void *)&address, 2 + 16) == 0) return succeeded("a process of the last game listens");
        if (bind(file, (void *)&address, 2 + 16) || listen(file, 1)) return held();
        leave_a_process();
        return held();
    }
    if (!strcmp(where, "daemon")) {
        int file = open(at("own", "player.c"), O_RDONLY);
        if (file < 0) return untried(strerror(errno));
        if (syscall(SYS_flock, file, 2 | 4)) return outcome(errno == EWOULDBLOCK, "a lock of the last game is held");
        leave_a_process();
        errno = ENOENT;
        return held();
    }
    if (!strcmp(where, "attribute")) {
        if (!access(at("own", "attack-mark"), F_OK)) return succeeded("a file beside its own");
        int is_set = syscall(SYS_setxattr, at("own", "player.c"), "user.attack", "1", 1, 0) == 0;
        if (is_set) syscall(SYS_removexattr, at("own", "player.c"), "user.attack");
        return outcome(is_set, "an attribute of its own file");
    }
    if (!strcmp(where, "home")) snprintf(path, sizeof path, "%s/attack-%s", getenv("HOME"), name);
    else if (!strcmp(where, "temporary")) snprintf(path, sizeof path, "%s/attack-%s", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp", name);
    else if (!strcmp(where, "own")) snprintf(path, sizeof path, "%s/attack-%s", given("own"), name);
    else snprintf(path, sizeof path, "%s/attack-%s", where, name);
    if (!access(path, F_OK)) return unlink(path), succeeded(path);
    if (open(path, O_CREAT | O_WRONLY, 0600) < 0) return held();
    errno = ENOENT;
    return held();
}
