#include "attack.h"

/* Runs the victim's program: directly, by a shell, or by the loader. */
static int attack(void) {
    char *program[] = {(char *)at("folder", "program"), NULL}, *shell[] = {"/bin/sh", (char *)at("folder", "program"), NULL};
    char *loader[] = {"/lib64/ld-linux-x86-64.so.2", (char *)at("folder", "program"), NULL};
    char **words = !strcmp(mode(), "shell") ? shell : !strcmp(mode(), "loader") ? loader : program;
    pid_t child = fork();
    if (child == 0) {
        execv(words[0], words);
        _exit(1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    errno = EACCES;
    return outcome(WIFEXITED(status) && WEXITSTATUS(status) == 7, "the victim's program has run");
}
