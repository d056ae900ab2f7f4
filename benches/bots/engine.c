/* A Gomoku engine that answers at once with a random free square, in Gomocup's protocol or in GTP.
   It answers all the lines of one read with one write, so that a benchmark measures the arena and
   not this engine. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 22 };

static char input[1 << 16], output[1 << 12];
static size_t said;
static int size, taken[MOST][MOST];
static uint64_t state = 88172645463325252u;

/* Marsaglia's xorshift64. */
static uint64_t draw(void) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static void say(const char *text) {
    size_t length = strlen(text);
    memcpy(output + said, text, length);
    said += length;
}

static void start(int n) {
    size = n;
    memset(taken, 0, sizeof taken);
}

/* Columns and rows count from 0 at the top left. */
static void choose(int *x, int *y) {
    do {
        int square = (int)(draw() % (uint64_t)(size * size));
        *x = square % size;
        *y = square / size;
    } while (taken[*y][*x]);
    taken[*y][*x] = 1;
}

static void gomocup(const char *line) {
    int x, y;
    char answer[32];
    if (strncmp(line, "INFO", 4) == 0 || strcmp(line, "BOARD") == 0) return;
    if (strncmp(line, "START ", 6) == 0) { start(atoi(line + 6)); say("OK\n"); return; }
    if (strcmp(line, "ABOUT") == 0) { say("name=\"instant\", version=\"1\"\n"); return; }
    if (strcmp(line, "END") == 0) exit(0);
    if (strncmp(line, "TURN ", 5) == 0) {
        x = atoi(line + 5);
        y = atoi(strchr(line, ',') + 1);
        taken[y][x] = 1;
    } else if (strcmp(line, "BEGIN") != 0 && strcmp(line, "DONE") != 0) {
        x = atoi(line);
        y = atoi(strchr(line, ',') + 1);
        taken[y][x] = 1;
        return;
    }
    choose(&x, &y);
    snprintf(answer, sizeof answer, "%d,%d\n", x, y);
    say(answer);
}

/* In GTP, no column is called I, and rows count from 1 at the bottom. */
static void gtp(const char *line) {
    int x, y;
    char answer[32];
    if (strncmp(line, "play ", 5) == 0) {
        const char *vertex = strrchr(line, ' ') + 1;
        x = vertex[0] - 'A' - (vertex[0] > 'I');
        y = size - atoi(vertex + 1);
        taken[y][x] = 1;
    } else if (strncmp(line, "genmove", 7) == 0) {
        choose(&x, &y);
        snprintf(answer, sizeof answer, "= %c%d\n\n", 'A' + x + (x >= 8), size - y);
        say(answer);
        return;
    } else if (strncmp(line, "boardsize ", 10) == 0) {
        start(atoi(line + 10));
    } else if (strcmp(line, "clear_board") == 0) {
        start(size);
    } else if (strcmp(line, "quit") == 0) {
        exit(0);
    }
    say("=\n\n");
}

int main(int count, char **words) {
    void (*obey)(const char *) = count > 1 && strcmp(words[1], "gtp") == 0 ? gtp : gomocup;
    size_t held = 0;
    ssize_t got;
    state ^= (uint64_t)getpid() << 20;
    while ((got = read(0, input + held, sizeof input - 1 - held)) > 0) {
        held += (size_t)got;
        char *line = input, *end;
        while ((end = memchr(line, '\n', held - (size_t)(line - input))) != NULL) {
            *end = '\0';
            if (end > line && end[-1] == '\r') end[-1] = '\0';
            obey(line);
            line = end + 1;
        }
        held -= (size_t)(line - input);
        memmove(input, line, held);
        if (said > 0 && write(1, output, said) != (ssize_t)said) return 1;
        said = 0;
    }
    return 0;
}
