#include "attack.h"

/* Opens a file of /proc or /sys for writing (`kmsg` and `timer_list`: for reading), but writes nothing. */
static int attack(void) {
    static const struct { const char *name, *path; } FILES[] = {
        {"core-pattern", "/proc/sys/kernel/core_pattern"}, {"sysrq", "/proc/sysrq-trigger"},
        {"modprobe", "/proc/sys/kernel/modprobe"}, {"hostname", "/proc/sys/kernel/hostname"},
        {"drop-caches", "/proc/sys/vm/drop_caches"}, {"overcommit", "/proc/sys/vm/overcommit_memory"},
        {"namespaces", "/proc/sys/user/max_user_namespaces"}, {"random", "/proc/sys/kernel/randomize_va_space"},
        {"uid-map", "/proc/self/uid_map"}, {"oom", "/proc/self/oom_score_adj"}, {"clear-refs", "/proc/self/clear_refs"},
        {"core-filter", "/proc/self/coredump_filter"}, {"mem", "/proc/self/mem"}, {"attr", "/proc/self/attr/exec"},
        {"projid-map", "/proc/self/projid_map"}, {"uevent-helper", "/sys/kernel/uevent_helper"},
        {"power", "/sys/power/state"}, {"cpu", "/sys/devices/system/cpu/cpu1/online"},
        {"cgroup-procs", "/sys/fs/cgroup/cgroup.procs"}, {"cgroup-v1", "/sys/fs/cgroup/memory/cgroup.procs"},
        {"release-agent", "/sys/fs/cgroup/memory/release_agent"}, {"debug", "/sys/kernel/debug/tracing/trace_marker"},
        {"irq", "/proc/irq/default_smp_affinity"}, {"kmsg-proc", "/proc/kmsg"}, {"timer-list", "/proc/timer_list"}};
    for (size_t i = 0; i < sizeof FILES / sizeof *FILES; i++) {
        if (strcmp(mode(), FILES[i].name)) continue;
        int is_read = strstr(FILES[i].path, "kmsg") || strstr(FILES[i].path, "timer_list");
        int file = open(FILES[i].path, is_read ? O_RDONLY | O_NONBLOCK : O_WRONLY);
        return outcome(file >= 0, FILES[i].path);
    }
    return untried("no such file in the list");
}
