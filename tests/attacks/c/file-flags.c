#include "attack.h"
#include <linux/fs.h>

/* Changes a flag of the victim's secret or of this program's source, and sets the flag back. */
static int attack(void) {
    int flags = 0, is_own = !strcmp(mode(), "own");
    int file = open(is_own ? at("own", "player.c") : at("folder", "secret"), O_RDONLY);
    if (file < 0) return is_own ? untried(strerror(errno)) : held();
    if (ioctl(file, FS_IOC_GETFLAGS, &flags) < 0) return held();
    flags ^= FS_NODUMP_FL;
    if (ioctl(file, FS_IOC_SETFLAGS, &flags) < 0) return held();
    flags ^= FS_NODUMP_FL;
    ioctl(file, FS_IOC_SETFLAGS, &flags);
    return succeeded("a flag of the file was changed and set back");
}
