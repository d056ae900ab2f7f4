#include "attack.h"

/* Makes a system call by its number in another ABI (x32, i386), which a filter may not know. */
static int attack(void) {
#ifdef __x86_64__
    pid_t child = fork();
    if (child == 0) {
        long result = -1;
        /* Both numbers mean getpid. */
        if (!strcmp(mode(), "x32")) result = syscall(0x40000000 | 39);
        if (!strcmp(mode(), "i386")) __asm__ volatile("int $0x80" : "=a"(result) : "a"(20L) : "memory", "r8", "r9", "r10", "r11");
        _exit(result > 0 ? SUCCEEDED : HELD);
    }
    int status = 0;
    waitpid(child, &status, 0);
    errno = ENOSYS;
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV) return untried("the kernel has no such calls");
    return outcome(WIFEXITED(status) && WEXITSTATUS(status) == SUCCEEDED, "a call of another kind of program");
#else
    return untried("for x86-64");
#endif
}
