#include "attack.h"

/* Sets the hostname to its present value. In a UTS namespace of its own, it is only the sandbox's. */
static int attack(void) {
    char name[256] = "";
    gethostname(name, sizeof name);
    return outcome(sethostname(name, strlen(name)) == 0, "the name of the machine");
}
