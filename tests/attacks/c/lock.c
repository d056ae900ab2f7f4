#include "attack.h"
#include <glob.h>
#include <sys/file.h>
#include <sys/wait.h>

/* Locks a file that other processes use: the lock of a core, of the run or of its record, or a file of the system. */
static int attack(void) {
    struct flock lock = {.l_type = F_RDLCK, .l_whence = SEEK_SET}, asked = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    char path[PATH_MAX];
    if (!strcmp(mode(), "core")) {
        glob_t found;
        if (glob("/tmp/arena-*/core-0.lock", 0, NULL, &found)) return held();
        snprintf(path, sizeof path, "%s", found.gl_pathv[0]);
        globfree(&found);
    }
    else if (*mode() == '/') snprintf(path, sizeof path, "%s", mode());
    else snprintf(path, sizeof path, "%s/%s", given("run"), !strcmp(mode(), "run") ? "arena.lock" : "arena.db");
    int file = open(path, O_RDONLY);
    if (file < 0) return held();
    flock(file, LOCK_SH | LOCK_NB);
    fcntl(file, F_SETLK, &lock);
    pid_t other = fork();
    if (!other) {
        /* Check whether the lock has an effect on another process. */
        int again = open(path, O_RDONLY);
        int felt = flock(again, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK;
        _exit(felt || (!fcntl(again, F_GETLK, &asked) && asked.l_type != F_UNLCK));
    }
    int status = 0;
    return outcome(waitpid(other, &status, 0) == other && status, path);
}
