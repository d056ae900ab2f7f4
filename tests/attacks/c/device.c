#include "attack.h"
#include <sys/sysmacros.h>

/* Opens a device that bots must not have, without using it, or makes a new one. */
static int attack(void) {
    char path[64];
    if (!strcmp(mode(), "make")) {
        snprintf(path, sizeof path, "%s/attack-null", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
        int is_made = mknod(path, S_IFCHR | 0600, makedev(1, 3)) == 0;
        int file = open(path, O_RDWR);
        if (is_made) unlink(path);
        return outcome(file >= 0, "a device of its own");
    }
    snprintf(path, sizeof path, "/dev/%s", mode());
    int file = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK);
    if (file < 0) file = open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK);
    if (file < 0 && errno == ENOENT && !strcmp(given("exists"), "1")) return untried(path);
    if (!strcmp(mode(), "tty")) return outcome(isatty(file), "the terminal of the user");
    return outcome(file >= 0, path);
}
