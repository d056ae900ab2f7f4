/* Answers `hello` at once and each turn after 50 ms of CPU time, with the first legal move. */

#include <stdio.h>
#include <string.h>
#include <time.h>

static char line[1 << 17];

int main(void) {
    while (fgets(line, sizeof line, stdin)) {
        if (strstr(line, "\"type\":\"hello\"")) puts("{\"type\":\"ready\"}");
        char *legal = strstr(line, "\"legal\":[\"");
        if (legal) {
            clock_t start = clock();
            while (clock() - start < CLOCKS_PER_SEC / 20);
            printf("{\"move\":\"%.*s\"}\n", (int)strcspn(legal + 10, "\""), legal + 10);
        }
        fflush(stdout);
    }
}
