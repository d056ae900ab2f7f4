#include "attack.h"

/* Reads a file to store one bit: the first read after a change sets the file's access time. */
static int attack(void) {
    struct stat before, after;
    char byte;
    const char *path = at("own", "player.c");
    int file = open(path, O_RDONLY);
    if (file < 0 || fstat(file, &before)) return untried(strerror(errno));
    if (read(file, &byte, 1) != 1 || fstat(file, &after)) return untried(strerror(errno));
    errno = EROFS;
    return outcome(before.st_atim.tv_sec != after.st_atim.tv_sec || before.st_atim.tv_nsec != after.st_atim.tv_nsec, "the time of the last access has changed");
}
