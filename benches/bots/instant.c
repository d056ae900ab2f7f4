/* A bot that answers at once with a random legal move. It reads only a message's type, "legal" and
   "seed", so that a benchmark measures the arena and not this bot. */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char buffer[1 << 17];
static uint64_t state = 88172645463325252u;

/* Marsaglia's xorshift64. */
static uint64_t draw(void) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static void say(const char *text, size_t length) {
    if (write(1, text, length) != (ssize_t)length) exit(1);
}

static void answer(char *line) {
    if (strncmp(line, "{\"type\":\"turn\"", 14) == 0) {
        char *list = strstr(line, "\"legal\":[") + 9;
        char *end = strchr(list, ']');
        /* Chooses a random byte of the list and takes the name after the next comma, or else the first name. */
        char *name = memchr(list + draw() % (uint64_t)(end - list), ',', (size_t)(end - list));
        name = name == NULL || name > end ? list : name + 1;
        size_t length = (size_t)(strchr(name + 1, '"') + 1 - name);
        char reply[32] = "{\"move\":";
        memcpy(reply + 8, name, length);
        memcpy(reply + 8 + length, "}\n", 2);
        say(reply, 8 + length + 2);
    } else if (strncmp(line, "{\"type\":\"hello\"", 15) == 0) {
        char *seed = strstr(line, "\"seed\":");
        state = (seed != NULL ? strtoull(seed + 7, NULL, 10) : 0) | 1;
        say("{\"type\":\"ready\"}\n", 17);
    } else if (strncmp(line, "{\"type\":\"quit\"", 14) == 0) {
        exit(0);
    }
}

int main(void) {
    size_t held = 0;
    ssize_t got;
    while ((got = read(0, buffer + held, sizeof buffer - 1 - held)) > 0) {
        held += (size_t)got;
        buffer[held] = '\0';
        char *line = buffer, *end;
        while ((end = memchr(line, '\n', held - (size_t)(line - buffer))) != NULL) {
            *end = '\0';
            answer(line);
            line = end + 1;
        }
        held -= (size_t)(line - buffer);
        memmove(buffer, line, held);
    }
    return 0;
}
