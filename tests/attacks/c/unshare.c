#include "attack.h"

/* Moves into a new namespace, in which it could be root or see other files. */
static int attack(void) {
    static const struct { const char *name; int flag; } KINDS[] = {
        {"user", 0x10000000}, {"mount", 0x00020000}, {"pid", 0x20000000}, {"network", 0x40000000},
        {"ipc", 0x08000000}, {"uts", 0x04000000}, {"cgroup", 0x02000000}, {"time", 0x00000080},
        {"files", 0x00000400}};
    for (size_t i = 0; i < sizeof KINDS / sizeof *KINDS; i++)
        if (!strcmp(mode(), KINDS[i].name)) return outcome(unshare(KINDS[i].flag) == 0, "a namespace of its own");
    return untried("no such kind");
}
