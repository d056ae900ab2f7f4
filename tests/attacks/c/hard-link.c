#include "attack.h"

/* Gives a file of the victim a new name by `link`, `rename` or `renameat2`, and then restores the old name. */
static int attack(void) {
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/attack-%s", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp", mode());
    int is_done = !strcmp(mode(), "rename") ? rename(at("folder", "program"), path) == 0 && rename(path, at("folder", "program")) == 0
        : !strcmp(mode(), "exchange") ? syscall(SYS_renameat2, AT_FDCWD, at("folder", "program"), AT_FDCWD, at("folder", "secret"), 2) == 0
                                          && syscall(SYS_renameat2, AT_FDCWD, at("folder", "program"), AT_FDCWD, at("folder", "secret"), 2) == 0
                                      : link(at("folder", "secret"), path) == 0 && unlink(path) == 0;
    return outcome(is_done, "a name of its own for a file of the victim");
}
