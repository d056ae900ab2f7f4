#include "attack.h"

/* Removes pages of a shared file from memory: other programs then wait for the disk, and can read this as one bit. */
static int attack(void) {
    int file = open(at("own", "player.c"), O_RDONLY);
    if (file < 0) return untried(strerror(errno));
    if (!strcmp(mode(), "fadvise")) {
        errno = posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
        return outcome(errno == 0, "fadvise takes pages out");
    }
    char *map = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, file, 0);
    if (map == MAP_FAILED) return untried(strerror(errno));
    volatile char touched = *map;
    (void)touched;
    return outcome(madvise(map, 4096, !strcmp(mode(), "pageout") ? 21 : 20) == 0, "madvise takes pages out");
}
