#include "attack.h"

/* Reads the memory, descriptors, environment or limits of the supervisor (the process that watches the sandbox), or
 * sends it a signal. */
static int attack(void) {
    char path[64], line[256];
    pid_t player = getppid(), supervisor = 0;
    snprintf(path, sizeof path, "/proc/%d/status", player);
    FILE *status = fopen(path, "r");
    while (status && fgets(line, sizeof line, status)) sscanf(line, "PPid:%d", &supervisor);
    if (supervisor == 0) supervisor = 1;
    if (!strcmp(mode(), "signal")) return outcome(kill(supervisor, SIGURG) == 0, "a signal to the supervisor");
    if (!strcmp(mode(), "limits")) return outcome(syscall(SYS_prlimit64, supervisor, RLIMIT_NOFILE, NULL, line) == 0, "the limits of the supervisor");
    snprintf(path, sizeof path, "/proc/%d/%s", supervisor, mode());
    int file = open(path, O_RDONLY);
    if (file >= 0 && !strcmp(mode(), "environ")) return outcome(read(file, line, 1) == 1, path);
    return outcome(file >= 0, path);
}
