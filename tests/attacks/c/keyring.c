#include "attack.h"

/* Stores a key in the user's keyring. The key remains when the process ends. */
static int attack(void) {
    if (syscall(SYS_keyctl, 10, -4, "user", "attack-remember", 0) >= 0) return succeeded("a key of the last game");
    long key = syscall(SYS_add_key, "user", "attack-remember", "1", 1, -4);
    return outcome(key >= 0, "a key of the user");
}
