#include "attack.h"

/* Checks whether set-user-id programs could give this process more rights. */
static int attack(void) { return outcome(prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 0, "new privileges are not refused"); }
