#include "attack.h"

/* Sets the hostname to its present value. In a UTS namespace, this changes only the sandbox's name. */
static int attack(void) {
    char name[256] = "";
    gethostname(name, sizeof name);
    return outcome(sethostname(name, strlen(name)) == 0, "the name of the machine");
}
