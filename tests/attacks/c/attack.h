/* The shared parts of the attacks in C: the outcome line, the exit code, and the arguments.
 *
 * Each attack is a file with a function `attack`. To run one by hand: cc -o x x.c && ./x name=x folder=/tmp/f pid=123
 * ../README.md lists the arguments. */

#ifndef ATTACK_H
#define ATTACK_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>

enum { HELD = 0, SUCCEEDED = 7, UNTRIED = 77 };

static char **attack_words;

/* Returns the value of the argument `key=value`, or an empty text if there is none. */
static inline const char *given(const char *key) {
    size_t length = strlen(key);
    for (char **word = attack_words; *word; word++)
        if (!strncmp(*word, key, length) && (*word)[length] == '=') return *word + length + 1;
    return "";
}

/* Returns the first argument if it is not of the form `key=value`, or an empty text. */
static inline const char *mode(void) {
    return *attack_words && !strchr(*attack_words, '=') ? *attack_words : "";
}

/* Returns the path of a file in the folder that an argument names, such as at("folder", "secret"). */
static inline const char *at(const char *key, const char *name) {
    static char paths[4][PATH_MAX];
    static int next;
    char *path = paths[next++ % 4];
    snprintf(path, PATH_MAX, "%s/%s", given(key), name);
    return path;
}

/* Returns the id of a process of the same user that the attack must not reach. */
static inline pid_t victim(void) { return (pid_t)atoi(given("pid")); }

static inline int ends(const char *how, int code, const char *detail) {
    fprintf(stderr, "ATTACK %s %s: %s\n", given("name"), how, detail);
    return code;
}
static inline int succeeded(const char *detail) { return ends("succeeded", SUCCEEDED, detail); }
static inline int held(void) { return ends("held", HELD, strerror(errno)); }
static inline int untried(const char *why) { return ends("untried", UNTRIED, why); }
static inline int outcome(int is_done, const char *detail) { return is_done ? succeeded(detail) : held(); }

/* Opens a new temporary file, and removes its name. */
static inline int scratch(void) {
    const char *folder = getenv("TMPDIR");
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/attack-XXXXXX", folder ? folder : "/tmp");
    int file = mkstemp(path);
    if (file >= 0) unlink(path);
    return file;
}

static int attack(void);

#ifndef ATTACKS_IN_ONE
int main(int count, char **words) {
    (void)count;
    attack_words = words + 1;
    return attack();
}
#endif
#endif
