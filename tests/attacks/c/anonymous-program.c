#include "attack.h"

/* Starts a program in memory by its descriptor, and lets it try to read the secret. */
static int attack(void) {
    char copy[1 << 16];
    int own = open("/proc/self/exe", O_RDONLY), file = (int)syscall(SYS_memfd_create, "attack", 0);
    for (ssize_t length; own >= 0 && file >= 0 && (length = read(own, copy, sizeof copy)) > 0;)
        if (write(file, copy, (size_t)length) != length) return untried(strerror(errno));
    if (file < 0) return held();
    pid_t child = fork();
    if (child == 0) {
        char folder[PATH_MAX], *words[] = {"player", "try", "c/open-path", "name=anonymous", folder, NULL};
        snprintf(folder, sizeof folder, "folder=%s", given("folder"));
        syscall(SYS_execveat, file, "", words, environ, AT_EMPTY_PATH);
        _exit(1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    errno = EACCES;
    return outcome(WIFEXITED(status) && WEXITSTATUS(status) == SUCCEEDED, "a program in memory reads the secret");
}
