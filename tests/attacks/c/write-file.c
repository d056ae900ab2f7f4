#include "attack.h"

static int has_mode(const char *path, mode_t wanted) {
    struct stat data;
    return stat(path, &data) == 0 && (data.st_mode & 0777) == wanted;
}

/* Changes or inspects a file of the victim or of this program, in each way that the system has. */
static int attack(void) {
    const char *secret = at("folder", "secret");
    struct timespec times[2] = {{1, 0}, {1, 0}};
    struct stat data;
    if (!strcmp(mode(), "write")) return outcome(open(secret, O_WRONLY) >= 0, "the secret is open to write");
    if (!strcmp(mode(), "append")) return outcome(open(secret, O_WRONLY | O_APPEND) >= 0, "the secret is open to append");
    if (!strcmp(mode(), "truncate")) return outcome(truncate(at("folder", "secret"), 7) == 0, "the secret was cut to its length");
    if (!strcmp(mode(), "create")) return outcome(open(at("folder", given("name")), O_CREAT | O_WRONLY, 0600) >= 0, "a file among the victim's");
    if (!strcmp(mode(), "folder")) return outcome(mkdir(at("folder", given("name")), 0700) == 0, "a folder among the victim's");
    if (!strcmp(mode(), "remove")) return outcome(unlink(at("folder", "program")) == 0, "the victim's program is gone");
    if (!strcmp(mode(), "remove-folder")) return outcome(rmdir(given("folder")) == 0 || errno == ENOTEMPTY, "the victim's folder could go");
    if (!strcmp(mode(), "fifo")) return outcome(mkfifo(at("folder", given("name")), 0600) == 0, "a pipe among the victim's files");
    if (!strcmp(mode(), "socket")) {
        struct sockaddr_un address = {.sun_family = AF_UNIX};
        int file = socket(AF_UNIX, SOCK_STREAM, 0);
        snprintf(address.sun_path, sizeof address.sun_path, "%s/%s", given("folder"), given("name"));
        return outcome(file >= 0 && bind(file, (void *)&address, sizeof address) == 0, "a socket among the victim's files");
    }
    if (!strcmp(mode(), "link")) return outcome(symlink("/", at("folder", given("name"))) == 0, "a link among the victim's files");
    if (!strcmp(mode(), "unnamed")) return outcome(open(given("folder"), O_TMPFILE | O_WRONLY, 0600) >= 0, "a file without a name there");
    if (!strcmp(mode(), "mode")) return outcome(chmod(secret, 0666) == 0 && has_mode(secret, 0666), "the secret is everybody's");
    if (!strcmp(mode(), "fchmod")) {
        int file = open(secret, O_PATH);
        return outcome(file >= 0 && syscall(452, file, "", 0666, AT_EMPTY_PATH) == 0 && has_mode(secret, 0666), "the secret is everybody's");
    }
    if (!strcmp(mode(), "owner")) return outcome(chown(secret, getuid(), getgid()) == 0, "the owner of the secret is set");
    if (!strcmp(mode(), "times")) return outcome(utimensat(AT_FDCWD, secret, times, 0) == 0 && stat(secret, &data) == 0 && data.st_mtime == 1, "the secret is from 1970");
    if (!strcmp(mode(), "attribute")) return outcome(syscall(SYS_setxattr, secret, "user.attack", "1", 1, 0) == 0, "an attribute of the secret");
    if (!strcmp(mode(), "map")) {
        int file = open(secret, O_RDWR);
        return outcome(file >= 0 && mmap(NULL, 1, PROT_WRITE, MAP_SHARED, file, 0) != MAP_FAILED, "the secret as memory");
    }
    if (!strcmp(mode(), "list")) return outcome(opendir(given("folder")) != NULL, "the names of the victim's files");
    if (!strcmp(mode(), "watch")) return outcome(stat(secret, &data) == 0, "size and times of the secret");
    if (!strcmp(mode(), "own-source")) return outcome(open(at("own", "player.c"), O_WRONLY) >= 0, "its own source is open to write");
    if (!strcmp(mode(), "own-mode")) return outcome(chmod(at("own", "player.c"), 0640) == 0 && has_mode(at("own", "player.c"), 0640), "the mode of its own source");
    if (!strcmp(mode(), "own-folder")) return outcome(open(at("own", given("name")), O_CREAT | O_WRONLY, 0600) >= 0, "a file beside its own");
    if (!strcmp(mode(), "own-rename")) return outcome(rename(at("own", "all.h"), at("own", given("name"))) == 0, "its own source has a new name");
    return untried("no such way");
}
