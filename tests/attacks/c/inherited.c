#include "attack.h"

/* Looks for open descriptors besides standard input, output and error. */
static int attack(void) {
    for (int file = 3; file < 1024; file++)
        if (fcntl(file, F_GETFD) >= 0) return succeeded("a descriptor of the arena");
    return held();
}
