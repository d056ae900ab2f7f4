#include "attack.h"

/* Removes pages of a shared file from memory: other programs then wait for the disk, and can read this as one bit. Or has
 * the kernel read a file, which makes other programs wait for the disk, too. */
static int attack(void) {
    int file = open(at("own", "player.c"), O_RDONLY);
    if (file < 0) return untried(strerror(errno));
    if (!strncmp(mode(), "fadvise", 7)) {
        errno = posix_fadvise(file, 0, 0, strcmp(mode(), "fadvise") ? POSIX_FADV_WILLNEED : POSIX_FADV_DONTNEED);
        return outcome(errno == 0, "fadvise takes pages out or reads them");
    }
    char *map = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, file, 0);
    if (map == MAP_FAILED) return untried(strerror(errno));
    volatile char touched = *map;
    (void)touched;
    int advice = !strcmp(mode(), "pageout") ? 21 : !strcmp(mode(), "cold") ? 20 : MADV_WILLNEED;
    return outcome(madvise(map, 4096, advice) == 0, "madvise takes pages out or reads them");
}
