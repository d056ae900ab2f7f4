#include "attack.h"
#include <sys/ptrace.h>
#include <sys/uio.h>

/* Traces the victim, or reads or writes the victim's memory or its files in /proc. */
static int attack(void) {
    char byte, path[64];
    struct iovec mine = {&byte, 1}, its = {(void *)held, 1};
    pid_t to = victim();
    if (!strcmp(mode(), "seize")) return outcome(ptrace(0x4206, to, 0, 0) == 0, "it traces the victim");
    if (!strcmp(mode(), "attach")) return outcome(ptrace(PTRACE_ATTACH, to, 0, 0) == 0 && ptrace(PTRACE_DETACH, to, 0, 0) == 0, "it traced the victim");
    if (!strcmp(mode(), "me")) return outcome(ptrace(PTRACE_TRACEME, 0, 0, 0) == 0, "it is traced");
    if (!strcmp(mode(), "readv")) return outcome(syscall(SYS_process_vm_readv, to, &mine, 1, &its, 1, 0) >= 0 || errno == EFAULT, "the victim's memory");
    if (!strcmp(mode(), "writev")) return outcome(syscall(SYS_process_vm_writev, to, &mine, 0, &its, 0, 0) >= 0, "the victim's memory");
    snprintf(path, sizeof path, "/proc/%d/%s", to, mode());
    return outcome(open(path, O_RDONLY) >= 0, path);
}
