/* A bot for Windows that misbehaves on demand: misbehave.exe MODE [WORD]
 *
 * It plays the first legal move. At its second turn it misbehaves as MODE says, unless the mode acts at another time.
 * Tests find the process by WORD. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

static char line[1 << 17];

static void for_ever(void) { Sleep(INFINITE); }

/* Starts a copy of itself, which does not end. */
static void start_child(const char *program) {
    char text[1024];
    STARTUPINFOA startup;
    PROCESS_INFORMATION started;
    ZeroMemory(&startup, sizeof startup);
    startup.cb = sizeof startup;
    snprintf(text, sizeof text, "\"%s\" stay", program);
    DWORD flags = CREATE_NEW_PROCESS_GROUP | DETACHED_PROCESS | CREATE_BREAKAWAY_FROM_JOB;
    /* Starts the copy outside the job if this is allowed, otherwise inside. On a busy machine, Wine may fail at first. */
    for (int attempt = 0; attempt < 20; attempt++) {
        if (CreateProcessA(NULL, text, NULL, NULL, FALSE, flags, NULL, NULL, &startup, &started) ||
            CreateProcessA(NULL, text, NULL, NULL, FALSE, DETACHED_PROCESS, NULL, NULL, &startup,
                           &started)) {
            return;
        }
        Sleep(50);
    }
    exit(9);
}

static void write_answer(void) {
    char *legal = strstr(line, "\"legal\":[\"");
    int length = (int)strcspn(legal + 10, "\"");
    printf("{\"move\":\"%.*s\"}\n", length, legal + 10);
}

static void answer(void) {
    write_answer();
    fflush(stdout);
}

static void misbehave(const char *mode, const char *program) {
    volatile int zero = 0, two = 2;
    if (!strcmp(mode, "hang")) {
        for_ever();
    } else if (!strcmp(mode, "crash")) {
        *(volatile int *)(size_t)zero = 1;
    } else if (!strcmp(mode, "divide")) {
        two = two / zero;
    } else if (!strcmp(mode, "abort")) {
        abort();
    } else if (!strcmp(mode, "leave")) {
        fprintf(stderr, "I have had enough\n");
        exit(3);
    } else if (!strcmp(mode, "flood")) {
        /* One write has the answer and more, so the arena reads them together. */
        write_answer();
        for (;;) puts("{\"move\":\"a1\"}");
    } else if (!strcmp(mode, "flood-info")) {
        for (;;) puts("{\"type\":\"info\",\"depth\":1}");
    } else if (!strcmp(mode, "flood-errors")) {
        for (;;) fputs("what a position!\n", stderr);
    } else if (!strcmp(mode, "long-line")) {
        for (int i = 0; i < 1 << 20; i++) putchar('x');
        for_ever();
    } else if (!strcmp(mode, "close-output")) {
        fclose(stdout);
        CloseHandle(GetStdHandle(STD_OUTPUT_HANDLE));
        for_ever();
    } else if (strstr(mode, "children")) {
        for (int i = 0; i < 3; i++) start_child(program);
        answer();
    } else {
        answer();
    }
}

int main(int count, char **words) {
    const char *mode = count > 1 ? words[1] : "well";
    int asked = 0, is_slow = !strncmp(mode, "slow", 4);
    if (!strcmp(mode, "stay") || !strcmp(mode, "silent")) for_ever();
    if (!strcmp(mode, "echo")) {
        for (int i = 2; i < count; i++) fprintf(stderr, "<%s>", words[i]);
        return 0;
    }
    while (fgets(line, sizeof line, stdin)) {
        if (strstr(line, "\"type\":\"hello\"")) {
            asked = 0;
            puts("{\"type\":\"ready\"}");
            fflush(stdout);
        } else if (strstr(line, "\"type\":\"turn\"")) {
            if (is_slow) Sleep(5);
            if (++asked == 2) misbehave(mode, words[0]);
            else answer();
        } else if (strstr(line, "\"type\":\"quit\"")) {
            break;
        }
    }
    return 0;
}
