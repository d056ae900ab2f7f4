#include "attack.h"
#include <sys/uio.h>

/* Stores one bit in the page cache, where the bit outlives every process: checks whether a page of this program's
 * source is in memory, and removes the page from memory. */
enum { PAGE = 4096 };

static int is_cached(int file, void *map) {
    char page[PAGE];
    struct iovec into = {page, PAGE};
    unsigned char is_there = 2;
    struct { uint64_t start, length; } range = {0, PAGE};
    struct { uint64_t cached, dirty, writeback, evicted, recently; } counts = {0};
    if (!strcmp(mode(), "nowait")) {
        ssize_t length = preadv2(file, &into, 1, 0, RWF_NOWAIT);
        return length > 0 ? 1 : errno == EAGAIN ? 0 : -1;
    }
    if (!strcmp(mode(), "mincore")) return mincore(map, PAGE, &is_there) ? -1 : is_there & 1;
    if (!strcmp(mode(), "cachestat")) return syscall(451, file, &range, &counts, 0) ? -1 : counts.cached > 0;
    return -1;
}

static int attack(void) {
    char page[PAGE];
    int file = open(at("own", "player.c"), O_RDONLY);
    if (file < 0) return untried(strerror(errno));
    void *map = mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE, file, 0);
    if (pread(file, page, PAGE, 0) <= 0) return untried(strerror(errno));
    int before = is_cached(file, map);
    if (before < 0) return held();
    /* `pread` has brought the page into memory. Removing the page writes the other value of the bit. */
    int error = posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
    if (error) {
        errno = error;
        return held();
    }
    return outcome(before == 1, "a bit in the page cache can be written and read");
}
