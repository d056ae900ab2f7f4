/* An engine with the Gomocup protocol and one defect: gomocup MODE. It plays the first free square. To find the code of
   a mode, search for its name. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 22 };

static const char *mode;
static int size, turns, was_informed, taken[MOST][MOST];
/* The number of words that the engine still ignores. Real engines lose words that come while they finish an answer. */
static int swallowed;

static int is(const char *name) { return strcmp(mode, name) == 0; }

static void say(const char *text) {
    fputs(text, stdout);
    fputs(is("cr") ? "\r" : is("crlf") ? "\r\n" : "\n", stdout);
    fflush(stdout);
}

static void chatter(void) {
    if (is("chatty")) {
        say("MESSAGE depth 3 ev -7 n 12K");
        say("DEBUG 7 stones");
        say("");
        say("I am thinking, therefore I am");
    }
}

static void play(void) {
    for (int row = 0; row < size; row++) {
        for (int x = 0; x < size; x++) {
            /* An engine for one size may play outside a smaller board. */
            int y = is("fixed-size") ? size - 1 - row : row;
            if (taken[y][x]) continue;
            char move[32];
            taken[y][x] = 1;
            snprintf(move, sizeof move, is("spaces") ? " %d , %d " : "%d,%d", x, y);
            chatter();
            say(move);
            chatter();
            if (is("swallows") || is("swallows-unknown")) swallowed = 1;
            /* The four words are INFO, time_left, the time and TURN. */
            if (is("swallows-turn")) swallowed = 4;
            return;
        }
    }
}

/* Misbehaves at the second question. */
static void answer(void) {
    if (++turns == 2) {
        if (is("error-turn")) { say("ERROR I do not feel like it"); return; }
        if (is("off-board")) { say("30,3"); return; }
        if (is("occupied")) { say("0,0"); return; }
        if (is("twice")) play();
        if (is("leaves")) exit(7);
        if (is("hangs")) for (;;) pause();
    }
    play();
}

static void start(int n) {
    if (is("refuses-size") && n != 20) { say("ERROR only 20 will do"); return; }
    /* Fails if START comes before INFO: older managers send INFO first. */
    if (is("info-first") && !was_informed) exit(6);
    if (is("exits")) { fputs("no such file: weights.bin\n", stderr); exit(3); }
    size = is("fixed-size") ? 20 : n;
    turns = 0;
    memset(taken, 0, sizeof taken);
    say("OK");
}

static void obey(const char *line) {
    int x, y;
    was_informed |= strncmp(line, "INFO ", 5) == 0;
    /* Engines of students make their board at START, and fail without it. */
    if (is("start-first") && size == 0 && strncmp(line, "START ", 6) != 0) exit(6);
    if (is("dies-of-info") && strncmp(line, "INFO", 4) == 0) exit(6);
    if (is("dies-of-about") && strcmp(line, "ABOUT") == 0) exit(6);
    if (is("speaks-gtp")) { say("? unknown command\n"); return; }
    chatter();
    if (strncmp(line, "START ", 6) == 0) start(atoi(line + 6));
    else if (strcmp(line, "ABOUT") == 0) {
        if (is("no-about")) return;
        say(is("unknown-about") ? "UNKNOWN" : "name=\"first\", version=\"1.0\", author=\"us\"");
    } else if (strcmp(line, "BEGIN") == 0) answer();
    else if (is("no-turn") && strncmp(line, "TURN", 4) == 0) say("UNKNOWN command");
    else if (sscanf(line, "TURN %d,%d", &x, &y) == 2) { taken[y][x] = 1; answer(); }
    else if (strcmp(line, "BOARD") == 0) return;
    else if (sscanf(line, "%d,%d,", &x, &y) == 2) taken[y][x] = 1;
    else if (strcmp(line, "DONE") == 0) answer();
    else if (strcmp(line, "END") == 0) { if (!is("slow-end")) exit(0); for (;;) pause(); }
    else if (strncmp(line, "INFO ", 5) != 0) say("UNKNOWN command");
}

/* Ignores the next words, and answers each other word of the line as an unknown command. */
static void lose_words(char *line) {
    char text[300];
    for (char *word = strtok(line, " "); word != NULL; word = strtok(NULL, " ")) {
        if (swallowed > 0) { swallowed--; continue; }
        snprintf(text, sizeof text, "ERROR Unknown command: %s", word);
        say(is("swallows-unknown") ? "UNKNOWN" : text);
        if (is("swallows-unknown")) return;
    }
}

int main(int count, char **words) {
    char line[256];
    mode = count > 1 ? words[1] : "well";
    if (is("banner")) printf("First 1.0\n=========\n(c) us\nlevel = 3, ready");
    if (is("banner")) say("");
    while (fgets(line, sizeof line, stdin) != NULL) {
        if (is("start-first") && strchr(line, '\r') != NULL) exit(6);
        line[strcspn(line, "\r\n")] = '\0';
        if (swallowed > 0) lose_words(line);
        else obey(line);
    }
    return 0;
}
