#include "attack.h"
#include <linux/keyctl.h>

/* System calls that the sandbox must refuse, with harmless arguments. An error that is not a refusal shows that the
 * kernel has looked at the arguments. */
#ifdef __x86_64__
enum { X86 = 1 };
#else
enum { X86 = 0 };
#endif
static const struct { const char *name; long number, arguments[6]; } CALLS[] = {
    {"acct", SYS_acct, {(long)"/attack/none"}},
    {"add-key", SYS_add_key, {0}},
    {"bpf", SYS_bpf, {0}},
    {"cachestat", 451, {-1}},
    {"capset", SYS_capset, {0}},
    {"chroot", SYS_chroot, {(long)"/"}},
    {"clone3", 435, {0}},
    {"delete-module", SYS_delete_module, {(long)"attack_none"}},
    {"fallocate-beyond-end", SYS_fallocate, {-1, 1, 0, 4096}},
    {"fanotify", SYS_fanotify_init, {0, O_RDONLY}},
    {"finit-module", SYS_finit_module, {-1, (long)""}},
    {"fsmount", 432, {-1}},
    {"fsopen", 430, {(long)"tmpfs"}},
    {"fspick", 433, {-100, (long)"/"}},
    {"init-module", SYS_init_module, {0, 0, (long)""}},
    {"inotify", SYS_inotify_init1, {0}},
    {"io-uring", 425, {1}},
    {"io-uring-enter", 426, {-1}},
    {"io-uring-register", 427, {-1}},
    {"kcmp", SYS_kcmp, {1, 1}},
    {"kexec", SYS_kexec_load, {0, 0, 0, -1}},
    {"keyctl", SYS_keyctl, {KEYCTL_GET_KEYRING_ID, KEY_SPEC_SESSION_KEYRING}},
    {"landlock-ruleset", 444, {0, -1}},
    {"landlock-rule", 445, {-1}},
    {"landlock-self", 446, {-1}},
    {"listmount", 458, {0}},
    {"memfd-huge", SYS_memfd_create, {(long)"attack", 4}},
    {"memfd-secret", 447, {0}},
    {"migrate-pages", SYS_migrate_pages, {0}},
    {"home-node", 450, {0, 0, 0, 1}},
    {"mbind", SYS_mbind, {0x10000, 4096, 0, 0, 0, 0}},
    {"mbind-move", SYS_mbind, {0x10000, 4096, 0, 0, 0, 2}},
    {"mount", SYS_mount, {0}},
    {"mount-setattr", 442, {-1}},
    {"move-mount", 429, {-1}},
    {"move-pages", SYS_move_pages, {0}},
    {"mq-open", SYS_mq_open, {0}},
    {"msgget", SYS_msgget, {0x61747461}},
    {"name-to-handle", SYS_name_to_handle_at, {-100}},
    {"open-by-handle", SYS_open_by_handle_at, {-1}},
    {"open-tree", 428, {-100, (long)"/"}},
    {"perf-event", SYS_perf_event_open, {0}},
    {"pidfd-getfd", 438, {-1}},
    {"pivot-root", SYS_pivot_root, {0}},
    {"process-madvise", 440, {-1}},
    {"process-mrelease", 448, {-1}},
    {"quotactl", SYS_quotactl, {-1}},
    {"quotactl-fd", 443, {-1}},
    {"reboot", SYS_reboot, {0}},
    {"request-key", SYS_request_key, {0}},
    {"seccomp", SYS_seccomp, {-1}},
    {"semget", SYS_semget, {0x61747461, 1}},
    {"setdomainname", SYS_setdomainname, {0, -1}},
    {"setfsuid", SYS_setfsuid, {-1}},
    {"setgroups", SYS_setgroups, {-1}},
    {"sethostname", SYS_sethostname, {0, -1}},
    {"setns", SYS_setns, {-1}},
    {"setuid", SYS_setuid, {-1}},
    {"settimeofday", SYS_settimeofday, {0}},
    {"shmget", SYS_shmget, {0x61747461, 4096, 0600}},
    {"statmount", 457, {0}},
    {"swapoff", SYS_swapoff, {(long)"/attack/none"}},
    {"swapon", SYS_swapon, {(long)"/attack/none"}},
    {"sync", SYS_sync, {0}},
    {"syncfs", SYS_syncfs, {-1}},
    {"syslog", SYS_syslog, {10}},
    {"umount", SYS_umount2, {(long)"/attack/none"}},
    {"userfaultfd", SYS_userfaultfd, {0x7fff}},
#ifdef __x86_64__
    {"iopl", SYS_iopl, {3}},
    {"ioperm", SYS_ioperm, {0x80, 1, 1}},
    {"lookup-dcookie", SYS_lookup_dcookie, {0}},
    {"modify-ldt", SYS_modify_ldt, {-1}},
    {"mknod", SYS_mknod, {0}},
    {"sysfs", SYS_sysfs, {3}},
    {"uselib", SYS_uselib, {(long)"/attack/none"}},
    {"ustat", SYS_ustat, {0}},
#endif
};

static int attack(void) {
    for (size_t i = 0; i < sizeof CALLS / sizeof *CALLS; i++) {
        const long *a = CALLS[i].arguments;
        if (strcmp(CALLS[i].name, mode())) continue;
        long result = syscall(CALLS[i].number, a[0], a[1], a[2], a[3], a[4], a[5]);
        return outcome(result >= 0 || (errno != EPERM && errno != EACCES && errno != ENOSYS), strerror(errno));
    }
    return untried(X86 ? "the call is not in the list" : "this processor does not have the call");
}
