#include "attack.h"

/* Set-user-id programs would get their rights. */
static int attack(void) { return outcome(prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 0, "new privileges are not refused"); }
