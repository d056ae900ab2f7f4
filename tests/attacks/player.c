/* A bot that plays the first legal move, and makes its attacks at its second turn.
 *
 *   player attempt ARGUMENTS... -- ATTACK... -- ATTACK...   plays, and makes each attack in a child process
 *   player try ATTACK ARGUMENTS...                          makes one attack, and exits with its exit code
 *
 * ATTACK is an attack in C (`c/NAME`, from `all.h`) or a command, with its own arguments. ARGUMENTS are for all
 * attacks. The bot prints the outcome of each attack to standard error, as in `= NAME held`, and exits with 7 unless
 * all are held. */

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

/* Makes an attack in a child process, and returns its outcome. The output of the attack goes to standard error. A child
 * that the filter of system calls kills (SIGSYS) counts as held. */
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

/* Makes all attacks, and returns whether all are held. Each attack also gets the words before the first `--`. */
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
