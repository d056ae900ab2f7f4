#include "attack.h"

/* Makes a set-user-id file, with which other users could get the rights of this user, or becomes root by `su`. */
static int attack(void) {
    char path[PATH_MAX];
    struct stat data;
    if (!strcmp(mode(), "make")) {
        snprintf(path, sizeof path, "%s/attack-rights", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
        int file = open(path, O_CREAT | O_WRONLY, 0700);
        int is_made = file >= 0 && fchmod(file, 06755) == 0 && fstat(file, &data) == 0 && data.st_mode & S_ISUID;
        unlink(path);
        /* With no_new_privs, such a file gives no rights. */
        errno = EPERM;
        return outcome(is_made && prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 0, path);
    }
    char *program[] = {"su", "-c", "true", NULL};
    int input = open("/dev/null", O_RDONLY);
    pid_t child = fork();
    if (child == 0) {
        dup2(input, 0);
        execvp(program[0], program);
        _exit(1);
    }
    int status = 1;
    waitpid(child, &status, 0);
    errno = EPERM;
    return outcome(child > 0 && status == 0 && getuid() != 0, "su has let it be root");
}
