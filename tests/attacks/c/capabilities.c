#include "attack.h"

/* Looks for any capability that is effective, permitted or ambient. */
static int attack(void) {
    char line[256];
    unsigned long value, all = 0;
    FILE *status = fopen("/proc/self/status", "r");
    while (status && fgets(line, sizeof line, status))
        if (sscanf(line, "CapEff:%lx", &value) == 1 || sscanf(line, "CapPrm:%lx", &value) == 1 || sscanf(line, "CapAmb:%lx", &value) == 1) all |= value;
    errno = EPERM;
    return outcome(all != 0, "capabilities");
}
