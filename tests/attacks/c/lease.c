#include "attack.h"

/* Takes a lease on a file, so that another process that opens the file waits up to 45 s. With `read`, the file is
 * this program's source, which the arena reads before each start. */
static int attack(void) {
    int kind = !strcmp(mode(), "write") ? F_WRLCK : F_RDLCK;
    int file = kind == F_WRLCK ? scratch() : open(at("own", "player.c"), O_RDONLY);
    if (file < 0) return untried(strerror(errno));
    return outcome(fcntl(file, F_SETLEASE, kind) == 0, "a lease");
}
