#include "attack.h"
#include <pthread.h>
#include <sys/epoll.h>

/* Takes more of a resource than the sandbox allows: a fixed amount, which is freed when the process ends. The attack
 * succeeds if it gets the whole amount. */
enum { MIB = 1 << 20, MEMORY = 1500, CHILDREN = 400 };

static void *wait_a_while(void *nothing) {
    sleep(5);
    return nothing;
}

static int touched(char *memory, size_t length) {
    if (memory == MAP_FAILED) return 0;
    for (size_t i = 0; i < length; i += 4096) memory[i] = 1;
    return 1;
}

static int memory(int flags) {
    for (int i = 0; i < MEMORY / 4; i++)
        if (!touched(mmap(NULL, 4 * MIB, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS, -1, 0), 4 * MIB)) return 0;
    return 1;
}

static int file_of(int file, int mib) {
    static char zeros[MIB];
    for (int i = 0; file >= 0 && i < mib; i++)
        if (write(file, zeros, MIB) != MIB) return 0;
    return file >= 0;
}

static int in(const char *folder, const char *name) {
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/attack-%s", folder, name);
    return open(path, O_CREAT | O_RDWR, 0600);
}

static int attack(void) {
    const char *folder = getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp";
    signal(SIGXFSZ, SIG_IGN);
    if (!strcmp(mode(), "memory")) return outcome(memory(MAP_PRIVATE), "1500 MiB");
    if (!strcmp(mode(), "shared")) return outcome(memory(MAP_SHARED), "1500 MiB of shared memory");
    if (!strcmp(mode(), "memfd")) {
        for (int i = 0; i < MEMORY / 4; i++)
            if (!file_of((int)syscall(SYS_memfd_create, "attack", 0), 4)) return held();
        return succeeded("1500 MiB in files without a name");
    }
    if (!strcmp(mode(), "children")) {
        pid_t children[40];
        int status, count = 0;
        for (int i = 0; i < 40; i++) {
            if ((children[i] = fork()) == 0) {
                if (!touched(mmap(NULL, 32 * MIB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), 32 * MIB)) _exit(1);
                raise(SIGSTOP);
                _exit(0);
            }
            count += children[i] > 0 && waitpid(children[i], &status, WUNTRACED) == children[i] && WIFSTOPPED(status);
        }
        for (int i = 0; i < 40; i++)
            if (children[i] > 0) kill(children[i], SIGKILL);
        return outcome(count == 40, "1280 MiB in 40 children");
    }
    if (!strcmp(mode(), "temporary")) return outcome(file_of(in(folder, "a"), 3) && file_of(in(folder, "b"), 3) && file_of(in(folder, "c"), 3), "9 MiB of temporary files");
    if (!strcmp(mode(), "large-file")) return outcome(file_of(in(folder, "large"), 64), "a file of 64 MiB");
    if (!strcmp(mode(), "shm")) return outcome(file_of(in("/dev/shm", "a"), 3) && file_of(in("/dev/shm", "b"), 3) && file_of(in("/dev/shm", "c"), 3), "9 MiB in /dev/shm");
    if (!strcmp(mode(), "sparse")) return outcome(ftruncate(in(folder, "hole"), 1L << 40) == 0, "a file of a terabyte");
    if (!strcmp(mode(), "allocate")) return outcome(fallocate(in(folder, "room"), 0, 0, 1L << 30) == 0, "a gigabyte of the disk");
    if (!strcmp(mode(), "pipe-size")) {
        int pair[2];
        return outcome(pipe(pair) == 0 && fcntl(pair[1], F_SETPIPE_SZ, MIB) == MIB, "a pipe of 1 MiB, of the 64 that all pipes of a user share");
    }
    if (!strcmp(mode(), "pipes")) {
        int pair[2], count = 0;
        static char text[MIB];
        for (; count < MEMORY && pipe(pair) == 0 && fcntl(pair[1], F_SETPIPE_SZ, MIB) == MIB; count++)
            if (fcntl(pair[1], F_SETFL, O_NONBLOCK) || write(pair[1], text, MIB) < 0) break;
        return outcome(count == MEMORY, "1500 MiB in pipes");
    }
    if (!strcmp(mode(), "sockets")) {
        int pair[2], count = 0, size = 4 * MIB;
        static char text[MIB];
        for (; count < 400 && socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair) == 0; count++) {
            setsockopt(pair[0], SOL_SOCKET, SO_SNDBUFFORCE, &size, sizeof size);
            long sent = 0;
            for (ssize_t length; (length = write(pair[0], text, MIB)) > 0;) sent += length;
            if (sent < 4 * MIB) break;
        }
        return outcome(count == 400, "1600 MiB in sockets");
    }
    if (!strcmp(mode(), "locked")) {
        char *room = mmap(NULL, 64 * MIB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        return outcome(room != MAP_FAILED && mlock(room, 64 * MIB) == 0, "64 MiB that cannot be swapped");
    }
    if (!strcmp(mode(), "threads")) {
        pthread_t thread;
        pthread_attr_t small;
        pthread_attr_init(&small);
        pthread_attr_setstacksize(&small, PTHREAD_STACK_MIN);
        int count = 0;
        while (count < CHILDREN && (errno = pthread_create(&thread, &small, wait_a_while, NULL)) == 0) count++;
        return outcome(count == CHILDREN, "400 threads");
    }
    if (!strcmp(mode(), "processes")) {
        int count = 0;
        for (; count < CHILDREN; count++) {
            pid_t child = fork();
            if (child < 0) break;
            if (child == 0) {
                sleep(5);
                _exit(0);
            }
        }
        return outcome(count == CHILDREN, "400 processes");
    }
    if (!strcmp(mode(), "bomb")) {
        /* 2⁹ processes, which end after two seconds. */
        pid_t first = getpid();
        for (int i = 0; i < 9; i++) fork();
        if (getpid() != first) sleep(2);
        errno = EAGAIN;
        return held();
    }
    if (!strcmp(mode(), "descriptors")) {
        int count = 0;
        while (count < 200000 && dup(0) >= 0) count++;
        return outcome(count == 200000, "200000 descriptors");
    }
    if (!strcmp(mode(), "signals")) {
        /* The kernel limits waiting signals per user, and other bots may have the same user. */
        sigset_t set;
        sigfillset(&set);
        sigprocmask(SIG_BLOCK, &set, NULL);
        union sigval none = {0};
        int count = 0;
        while (count < 2000 && sigqueue(getpid(), SIGRTMIN, none) == 0) count++;
        return outcome(count == 2000, "2000 waiting signals");
    }
    if (!strcmp(mode(), "files")) {
        char name[32];
        int count = 0;
        for (; count < 5000; count++) {
            snprintf(name, sizeof name, "file-%d", count);
            int file = in(folder, name);
            if (file < 0) break;
            close(file);
        }
        /* The files themselves do no harm, but the arena must be able to remove them. */
        errno = ENOSPC;
        return held();
    }
    if (!strcmp(mode(), "deep")) {
        /* Nest the folders from the innermost one, because long paths are slow. */
        if (chdir(folder) || mkdir("attack-deep", 0700)) return untried(strerror(errno));
        for (int depth = 0; depth < 19000; depth++)
            if (mkdir("next", 0700) || rename("attack-deep", "next/d") || rename("next", "attack-deep")) return held();
        errno = 0;
        return held();
    }
    if (!strcmp(mode(), "closed")) {
        char path[PATH_MAX];
        for (int i = 0; i < 50; i++) {
            snprintf(path, sizeof path, "%s/attack-closed-%d", folder, i);
            if (mkdir(path, 0700) || chdir(path) || open("file", O_CREAT, 0) < 0 || chmod(path, 0)) break;
        }
        errno = 0;
        return held();
    }
    if (!strcmp(mode(), "names")) {
        char name[256];
        memset(name, 'n', 255);
        name[255] = 0;
        if (chdir(folder)) return untried(strerror(errno));
        for (int i = 0; i < 60 && mkdir(name, 0700) == 0 && chdir(name) == 0; i++) {}
        /* A name that is not UTF-8, and a name that looks like an option. */
        mkdir("\xff\xfe\n-rf", 0700);
        mkdir("-rf ..", 0700);
        errno = 0;
        return held();
    }
    return untried("no such thing to take");
}
