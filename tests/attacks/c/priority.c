#include "attack.h"

/* Changes the priority, the scheduling class or the cores of this process or of the victim. */
static int attack(void) {
    struct sched_param none = {0};
    cpu_set_t cores;
    pid_t to = victim();
    CPU_ZERO(&cores);
    for (int core = 0; core < 8; core++) CPU_SET(core, &cores);
    if (!strcmp(mode(), "victim")) return outcome(setpriority(PRIO_PROCESS, (id_t)to, getpriority(PRIO_PROCESS, (id_t)to)) == 0, "the victim's priority");
    if (!strcmp(mode(), "group")) return outcome(setpriority(PRIO_PGRP, 0, 1) == 0, "the priority of its group");
    if (!strcmp(mode(), "user")) return outcome(setpriority(PRIO_USER, 0, getpriority(PRIO_USER, 0)) == 0, "the priority of its user");
    if (!strcmp(mode(), "idle")) return outcome(sched_setscheduler(0, SCHED_IDLE, &none) == 0, "the idle class");
    if (!strcmp(mode(), "batch")) return outcome(sched_setscheduler(0, SCHED_BATCH, &none) == 0, "the batch class");
    if (!strcmp(mode(), "real-time")) {
        none.sched_priority = 1;
        return outcome(sched_setscheduler(0, SCHED_FIFO, &none) == 0, "the real-time class");
    }
    if (!strcmp(mode(), "deadline")) {
        struct { uint32_t size, policy; uint64_t flags; int32_t nice; uint32_t priority; uint64_t runtime, deadline, period; } how = {
            .size = 48, .policy = 6, .runtime = 1000000, .deadline = 10000000, .period = 10000000};
        return outcome(syscall(SYS_sched_setattr, 0, &how, 0) == 0, "the deadline class");
    }
    if (!strcmp(mode(), "cores")) return outcome(sched_setaffinity(0, sizeof cores, &cores) == 0, "other cores");
    if (!strcmp(mode(), "victim-cores")) return outcome(sched_getaffinity(to, sizeof cores, &cores) == 0 && sched_setaffinity(to, sizeof cores, &cores) == 0, "the victim's cores");
    if (!strcmp(mode(), "io")) return outcome(syscall(SYS_ioprio_set, 1, 0, (3 << 13)) == 0, "its class of input and output");
    return untried("no such way");
}
