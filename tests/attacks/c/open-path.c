#include "attack.h"

/* Opens the secret by another path than its usual one. */
static const char *last(const char *key) {
    const char *slash = strrchr(given(key), '/');
    return slash ? slash + 1 : "";
}

static int attack(void) {
    char path[PATH_MAX], byte;
    const char *folder = given("folder");
    if (!strcmp(mode(), "root")) snprintf(path, sizeof path, "/proc/self/root%s/secret", folder);
    else if (!strcmp(mode(), "init-root")) snprintf(path, sizeof path, "/proc/1/root%s/secret", folder);
    else if (!strcmp(mode(), "thread-root")) snprintf(path, sizeof path, "/proc/thread-self/root%s/secret", folder);
    else if (!strcmp(mode(), "victim-root")) snprintf(path, sizeof path, "/proc/%d/root%s/secret", victim(), folder);
    else if (!strcmp(mode(), "victim-cwd")) snprintf(path, sizeof path, "/proc/%d/cwd/%s/secret", victim(), last("folder"));
    else if (!strcmp(mode(), "parent-root")) snprintf(path, sizeof path, "/proc/%d/root%s/secret", getppid(), folder);
    else if (!strcmp(mode(), "dots")) snprintf(path, sizeof path, "%s/../%s/secret", given("own"), last("folder"));
    else if (!strcmp(mode(), "doubled")) snprintf(path, sizeof path, "//%s//./secret", folder);
    else if (!strcmp(mode(), "link")) {
        snprintf(path, sizeof path, "%s/attack-link", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
        if (symlink(at("folder", "secret"), path)) return untried(strerror(errno));
    } else if (!strcmp(mode(), "path-descriptor")) {
        int file = open(at("folder", "secret"), O_PATH);
        if (file < 0) return held();
        snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    } else if (!strcmp(mode(), "folder-descriptor")) {
        int above = open(given("own"), O_PATH | O_DIRECTORY);
        snprintf(path, sizeof path, "../%s/secret", last("folder"));
        int file = openat(above, path, O_RDONLY);
        return outcome(file >= 0 && read(file, &byte, 1) == 1, "the secret");
    } else if (!strcmp(mode(), "openat2")) {
        struct { uint64_t flags, mode, resolve; } how = {O_RDONLY, 0, 0};
        int file = (int)syscall(437, AT_FDCWD, at("folder", "secret"), &how, sizeof how);
        return outcome(file >= 0 && read(file, &byte, 1) == 1, "the secret");
    } else {
        snprintf(path, sizeof path, "%s/secret", folder);
    }
    int file = open(path, O_RDONLY);
    int is_read = file >= 0 && read(file, &byte, 1) == 1;
    int error = errno;
    if (strstr(path, "attack-link")) unlink(path);
    errno = error;
    return outcome(is_read, path);
}
