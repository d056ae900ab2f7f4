#include "attack.h"

/* Reads the memory, descriptors, environment or limits of the keeper (the arena's process that watches the sandbox), or
 * sends it a signal. */
static int attack(void) {
    char path[64], line[256];
    pid_t player = getppid(), keeper = 0;
    snprintf(path, sizeof path, "/proc/%d/status", player);
    FILE *status = fopen(path, "r");
    while (status && fgets(line, sizeof line, status)) sscanf(line, "PPid:%d", &keeper);
    if (keeper == 0) keeper = 1;
    if (!strcmp(mode(), "signal")) return outcome(kill(keeper, SIGURG) == 0, "a signal to the keeper");
    if (!strcmp(mode(), "limits")) return outcome(syscall(SYS_prlimit64, keeper, RLIMIT_NOFILE, NULL, line) == 0, "the limits of the keeper");
    snprintf(path, sizeof path, "/proc/%d/%s", keeper, mode());
    int file = open(path, O_RDONLY);
    if (file >= 0 && !strcmp(mode(), "environ")) return outcome(read(file, line, 1) == 1, path);
    return outcome(file >= 0, path);
}
