/* A bot that plays the first legal move, and makes attacks when it is asked for the second time.
 *
 *   player attempt GIVEN... -- ATTACK... -- ATTACK...   plays, with each attack as a child of its own
 *   player try ATTACK GIVEN...                          makes one attack and ends with its exit code
 *
 * An attack is one in C (`c/NAME`, all of which are in `all.h`) or a command, and its arguments. The game ends with
 * exit code 7 unless all attacks are held; what became of each is then on standard error, as `= NAME held`. */

#include "c/attack.h"
#include "all.h"

enum { MOST = 64 };

static char line[1 << 17];

static int run(char **words) {
    for (size_t i = 0; i < sizeof ATTACKS / sizeof *ATTACKS; i++)
        if (!strcmp(words[0], ATTACKS[i].name)) {
            attack_words = words + 1;
            return ATTACKS[i].attack();
        }
    execvp(words[0], words);
    perror(words[0]);
    return UNTRIED;
}

/* What became of an attack whose output is no message of the bot. A call that kills is a call that is refused. */
static const char *attempt(char **words) {
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        dup2(2, 1);
        exit(run(words));
    }
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    if (child < 0) return "untried";
    if (WIFSIGNALED(status)) return WTERMSIG(status) == SIGSYS ? "held" : "untried";
    return WEXITSTATUS(status) == HELD ? "held" : WEXITSTATUS(status) == SUCCEEDED ? "succeeded" : "untried";
}

/* Whether all attacks are held. Each is given the words before the first `--`. */
static int all_held(char **words) {
    char **next = words, *attack[MOST + 1];
    int given = 0, are_held = 1;
    while (words[given] && strcmp(words[given], "--")) given++;
    for (next += given; *next;) {
        int count = 0;
        for (next++; *next && strcmp(*next, "--") && count < MOST / 2; next++) attack[count++] = *next;
        const char *name = attack[count - 1] + strlen("name=");
        for (int i = 0; i < given && count < MOST; i++) attack[count++] = words[i];
        attack[count] = NULL;
        const char *end = attempt(attack);
        fprintf(stderr, "= %s %s\n", name, end);
        are_held &= !strcmp(end, "held");
    }
    return are_held;
}

int main(int count, char **words) {
    int turns = 0;
    if (count > 2 && !strcmp(words[1], "try")) return run(words + 2);
    while (fgets(line, sizeof line, stdin)) {
        if (strstr(line, "\"type\":\"hello\"")) {
            turns = 0;
            puts("{\"type\":\"ready\"}");
        } else if (strstr(line, "\"type\":\"turn\"")) {
            if (++turns == 2 && count > 2 && !all_held(words + 2)) return SUCCEEDED;
            char *legal = strstr(line, "\"legal\":[\"") + 10;
            printf("{\"move\":\"%.*s\"}\n", (int)strcspn(legal, "\""), legal);
        } else if (strstr(line, "\"type\":\"quit\"")) {
            break;
        }
        fflush(stdout);
    }
    return 0;
}
