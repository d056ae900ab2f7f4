#include "attack.h"

/* A lease: the next process that opens the file to write, and the arena that reads it for a write lease, waits up to
 * 45 s. On its own program, which the arena reads before each start. */
static int attack(void) {
    int kind = !strcmp(mode(), "write") ? F_WRLCK : F_RDLCK;
    int file = kind == F_WRLCK ? scratch() : open(at("own", "player.c"), O_RDONLY);
    if (file < 0) return untried(strerror(errno));
    return outcome(fcntl(file, F_SETLEASE, kind) == 0, "a lease");
}
