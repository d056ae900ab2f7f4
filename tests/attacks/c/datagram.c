#include "attack.h"

/* Sends a datagram through one end of a socket pair to a socket of the machine, such as the socket of the log. */
static int attack(void) {
    int pair[2];
    struct sockaddr_un log = {.sun_family = AF_UNIX};
    struct iovec text = {(void *)given("name"), strlen(given("name"))};
    struct msghdr message = {.msg_name = &log, .msg_namelen = sizeof log, .msg_iov = &text, .msg_iovlen = 1};
    struct mmsghdr messages = {.msg_hdr = message};
    snprintf(log.sun_path, sizeof log.sun_path, "%s/log", given("folder"));
    int kind = strstr(mode(), "packet") ? SOCK_SEQPACKET : strstr(mode(), "stream") ? SOCK_STREAM : SOCK_DGRAM;
    if (socketpair(AF_UNIX, kind, 0, pair)) return held();
    if (strstr(mode(), "sendmsg")) return outcome(sendmsg(pair[0], &message, 0) > 0 && kind == SOCK_DGRAM, "a datagram to the log");
    if (strstr(mode(), "sendmmsg")) return outcome(sendmmsg(pair[0], &messages, 1, 0) > 0 && kind == SOCK_DGRAM, "a datagram to the log");
    if (strstr(mode(), "connect")) return outcome(connect(pair[0], (void *)&log, sizeof log) == 0 && send(pair[0], "x", 1, 0) == 1, "a datagram to the log");
    return outcome(sendto(pair[0], "x", 1, 0, (void *)&log, sizeof log) > 0 && kind == SOCK_DGRAM, "a datagram to the log");
}
