#include "attack.h"

/* Sets the times of a device of the machine, which a later game could read. */
static int attack(void) {
    static const char *const devices[] = {"/dev/full", "/dev/zero", "/dev/random", "/dev/urandom", "/dev/null"};
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++)
        if (syscall(SYS_utimensat, AT_FDCWD, devices[i], NULL, 0) == 0) return succeeded(devices[i]);
    return held();
}
