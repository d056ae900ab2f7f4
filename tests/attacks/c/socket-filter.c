#include "attack.h"
#include <linux/filter.h>

/* Attaches a packet filter to a socket. The kernel compiles the filter into memory that the whole machine shares. */
static int attack(void) {
    int pair[2];
    struct sock_filter all = {BPF_RET | BPF_K, 0, 0, 0xffff};
    struct sock_fprog program = {1, &all};
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair)) return held();
    return outcome(setsockopt(pair[0], SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program) == 0, "a filter in the kernel");
}
