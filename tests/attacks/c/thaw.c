#include "attack.h"
#include <linux/fs.h>

/* Asks a whole file system to thaw (FITHAW), which does nothing unless it was frozen before. */
static int attack(void) {
    int root = open("/usr", O_RDONLY);
    if (root < 0) return untried(strerror(errno));
    return outcome(ioctl(root, FITHAW, 0) == 0 || errno == EINVAL, "the file system answers to FITHAW");
}
