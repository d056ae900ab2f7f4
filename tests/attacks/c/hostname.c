#include "attack.h"

/* The name of the machine, set to what it is. In a sandbox of its own that name is the sandbox's. */
static int attack(void) {
    char name[256] = "";
    gethostname(name, sizeof name);
    return outcome(sethostname(name, strlen(name)) == 0, "the name of the machine");
}
