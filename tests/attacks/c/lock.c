#include "attack.h"
#include <glob.h>
#include <sys/file.h>

/* A lock that the arena needs: of a core, of the run, of its record. */
static int attack(void) {
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    char path[PATH_MAX];
    if (!strcmp(mode(), "core")) {
        glob_t found;
        if (glob("/tmp/arena-*/core-0.lock", 0, NULL, &found)) return held();
        snprintf(path, sizeof path, "%s", found.gl_pathv[0]);
        globfree(&found);
    }
    else snprintf(path, sizeof path, "%s/%s", given("run"), !strcmp(mode(), "run") ? "arena.lock" : "arena.db");
    int file = open(path, O_RDWR);
    if (file < 0) file = open(path, O_RDONLY);
    if (file < 0) return held();
    lock.l_type = F_RDLCK;
    return outcome(flock(file, LOCK_SH | LOCK_NB) == 0 || fcntl(file, F_SETLK, &lock) == 0 || errno == EWOULDBLOCK, path);
}
