#include "attack.h"
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <mqueue.h>
#include <semaphore.h>

/* Creates memory, a semaphore or a queue that outlives this process. Succeeds if the last game's object exists. */
enum { KEY = 0x61747461 };

static int attack(void) {
    const char *name = "/attack-remember";
    if (!strcmp(mode(), "system-v")) {
        if (shmget(KEY, 1, 0600) >= 0) return shmctl(shmget(KEY, 1, 0600), IPC_RMID, NULL), succeeded("System V memory of the last game");
        return shmget(KEY, 4096, IPC_CREAT | 0600), held();
    }
    if (!strcmp(mode(), "semaphore")) {
        if (semget(KEY, 1, 0600) >= 0) return semctl(semget(KEY, 1, 0600), 0, IPC_RMID), succeeded("a System V semaphore of the last game");
        return semget(KEY, 1, IPC_CREAT | 0600), held();
    }
    if (!strcmp(mode(), "messages")) {
        if (msgget(KEY, 0600) >= 0) return msgctl(msgget(KEY, 0600), IPC_RMID, NULL), succeeded("a System V queue of the last game");
        return msgget(KEY, IPC_CREAT | 0600), held();
    }
    if (!strcmp(mode(), "queue")) {
        if (mq_open(name, O_RDONLY) >= 0) return mq_unlink(name), succeeded("a queue of the last game");
        return mq_open(name, O_CREAT | O_RDWR, 0600, NULL), held();
    }
    if (!strcmp(mode(), "posix")) {
        if (shm_open(name, O_RDONLY, 0) >= 0) return shm_unlink(name), succeeded("memory of the last game");
        return shm_open(name, O_CREAT | O_RDWR, 0600), held();
    }
    if (sem_open(name, 0) != SEM_FAILED) return sem_unlink(name), succeeded("a semaphore of the last game");
    return sem_open(name, O_CREAT, 0600, 1), held();
}
