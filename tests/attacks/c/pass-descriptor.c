#include "attack.h"

/* Sends a descriptor into a socket pair and does not receive it. The kernel limits such descriptors per user, and other
 * bots may have the same user. */
static int in_flight(void) {
    int pair[2], file = open("/dev/null", O_RDONLY);
    char control[CMSG_SPACE(sizeof file)] = {0}, byte = 'x';
    struct iovec text = {&byte, 1};
    struct msghdr message = {.msg_iov = &text, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof file);
    memcpy(CMSG_DATA(head), &file, sizeof file);
    return socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0 && sendmsg(pair[0], &message, 0) == 1;
}

/* Connects to a socket outside the sandbox, through which it could send descriptors to another process. */
static int attack(void) {
    if (!strcmp(mode(), "in-flight")) return outcome(in_flight(), "a descriptor on its way");
    struct sockaddr_un there = {.sun_family = AF_UNIX};
    snprintf(there.sun_path, sizeof there.sun_path, "%s/stream", given("folder"));
    int file = socket(AF_UNIX, SOCK_STREAM, 0);
    return outcome(file >= 0 && connect(file, (void *)&there, sizeof there) == 0, "a way for descriptors");
}
