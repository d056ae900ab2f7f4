#include "attack.h"
#include <linux/fs.h>

/* Copies the secret by calls other than `read`. */
static int attack(void) {
    int secret = open(at("folder", "secret"), O_RDONLY), copy = scratch();
    if (copy < 0) return untried(strerror(errno));
    if (!strcmp(mode(), "copy")) return outcome(copy_file_range(secret, NULL, copy, NULL, 7, 0) == 7, "a copy of the secret");
    if (!strcmp(mode(), "splice")) {
        int pipes[2];
        return outcome(pipe(pipes) == 0 && syscall(SYS_splice, secret, NULL, pipes[1], NULL, 7, 0) == 7, "the secret in a pipe");
    }
    return outcome(ioctl(copy, FICLONE, secret) == 0, "a clone of the secret");
}
