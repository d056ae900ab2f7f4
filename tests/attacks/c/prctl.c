#include "attack.h"
#ifndef PR_SET_IO_FLUSHER
#define PR_SET_IO_FLUSHER 57
#endif

/* Changes an attribute of this process that the arena relies on. */
static int attack(void) {
    if (!strcmp(mode(), "ptracer")) return outcome(prctl(PR_SET_PTRACER, victim()) == 0, "the victim may trace it");
    if (!strcmp(mode(), "mm")) return outcome(prctl(PR_SET_MM, 8, (unsigned long)sbrk(0), 0, 0) == 0, "its own memory map is another");
    if (!strcmp(mode(), "io-flusher")) return outcome(prctl(PR_SET_IO_FLUSHER, 1, 0, 0, 0) == 0, "it is an I/O flusher");
    if (!strcmp(mode(), "mce-kill")) return outcome(prctl(33, 1, 1, 0, 0) == 0, "machine checks kill it early");
    if (!strcmp(mode(), "task-perf")) return outcome(prctl(PR_TASK_PERF_EVENTS_ENABLE) == 0, "performance counters");
    if (!strcmp(mode(), "keep-capabilities")) return outcome(prctl(PR_SET_KEEPCAPS, 1) == 0 && prctl(PR_CAP_AMBIENT, 2, 21, 0, 0) == 0, "it keeps capabilities");
    if (!strcmp(mode(), "tsc")) return outcome(prctl(PR_SET_TSC, PR_TSC_SIGSEGV) == 0 && prctl(PR_SET_TSC, PR_TSC_ENABLE) == 0, "the time stamp counter is switched off");
    return untried("no such option");
}
