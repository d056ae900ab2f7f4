#include "attack.h"

/* Passes one bit by a file that is rarely read: only the first read of a page causes a major fault. */
static int attack(void) {
    struct rusage before, after;
    DIR *folder = opendir("/usr/share/zoneinfo/right/Antarctica");
    if (!folder) folder = opendir("/usr/share/zoneinfo/Antarctica");
    if (!folder) folder = opendir("/usr/share/perl/5.36.0/unicore/lib/Gc");
    if (!folder) return untried("no folder of files that are seldom read");
    long faults = 0;
    for (struct dirent *entry; (entry = readdir(folder));) {
        int file = openat(dirfd(folder), entry->d_name, O_RDONLY);
        char *map = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, file, 0);
        if (file < 0 || map == MAP_FAILED) continue;
        struct stat data;
        if (fstat(file, &data) || !S_ISREG(data.st_mode) || data.st_size == 0) continue;
        getrusage(RUSAGE_SELF, &before);
        volatile char touched = *map;
        (void)touched;
        getrusage(RUSAGE_SELF, &after);
        faults += after.ru_majflt - before.ru_majflt;
    }
    errno = 0;
    return outcome(faults > 0, "it is the first to read them");
}
