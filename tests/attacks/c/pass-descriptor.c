#include "attack.h"

/* A descriptor sent to another process: without a socket that leads out there is none to send it to. */
static int attack(void) {
    struct sockaddr_un there = {.sun_family = AF_UNIX};
    snprintf(there.sun_path, sizeof there.sun_path, "%s/stream", given("folder"));
    int file = socket(AF_UNIX, SOCK_STREAM, 0);
    return outcome(file >= 0 && connect(file, (void *)&there, sizeof there) == 0, "a way for descriptors");
}
