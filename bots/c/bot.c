/* A bot for Othello and Gomoku in one file of plain C, to copy and to improve.
 *
 * Othello: corners have the highest value and the squares beside them the lowest. A move is better
 * if it leaves the opponent fewer replies.
 * Gomoku: a row of five squares that contains the move counts only if all its stones have one
 * colour; more stones count more. Own stones can become a five; the opponent's stones must be
 * stopped.
 *
 * It looks one move ahead. Among equally good moves it plays the first, so the same position always
 * gets the same answer. The bots in ../python, ../javascript, ../cpp, ../java and ../shell play the
 * same moves.
 *
 * The protocol is described in docs/protocol.md. Only a C compiler is needed; a small JSON
 * reader is at the end of this file.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST = 22, LONGEST_WORD = 16, LONGEST_LINE = 64 * 1024 };

/* The opening rules of Gomoku that this bot knows. Without this list, the arena gives it no games
 * with opening rules. */
static const char OPENINGS[] = "[\"swap\",\"swap2\",\"soosyrv-8\",\"taraguchi-10\",\"rif\"]";

/* A position. Use `at` for squares that may be outside the board. */
struct board {
    int size;
    char squares[LARGEST][LARGEST + 1]; /* 'X', 'O' or '.' */
};

static const char *value(const char *object, const char *key);
static const char *next_string(const char **list, char *text, size_t room);
static int is_string(const char *value, const char *text);
static void choose(const char *turn, int is_othello, char *best, size_t room);

int main(void) {
    static char line[LONGEST_LINE + 2];
    int is_othello = 1;

    /* The loop ends when the arena closes the pipe. */
    while (fgets(line, sizeof line, stdin)) {
        const char *type = value(line, "type");
        if (is_string(type, "hello")) { /* a new game: forget the last one */
            is_othello = is_string(value(line, "game"), "othello");
            printf("{\"type\":\"ready\",\"name\":\"c\",\"version\":\"1.0\",\"openings\":%s}\n", OPENINGS);
        } else if (is_string(type, "turn")) {
            char move[LONGEST_WORD];
            choose(line, is_othello, move, sizeof move);
            printf("{\"type\":\"move\",\"id\":%ld,\"move\":\"%s\"}\n",
                   strtol(value(line, "id"), NULL, 10), move);
        } else if (is_string(type, "quit")) {
            break;
        }
        /* "over" needs no answer, and messages of other types must be ignored. */

        /* Without this the answer would wait in a buffer, and the bot would lose on time. Print
         * nothing else here; use fprintf(stderr, ...) for debugging. */
        fflush(stdout);
    }
    return 0;
}

static int smaller(int a, int b) { return a < b ? a : b; }

static char at(const struct board *board, int row, int column) {
    if (row < 0 || row >= board->size || column < 0 || column >= board->size) return '#';
    return board->squares[row][column];
}

/* ---- Othello -------------------------------------------------------------------------------- */

/* The value of a square, by its distance from the nearest edges: 100 for a corner, -20 or -50
 * beside it. */
static const int SQUARES[4][4] = {
    {100, -20, 10, 5}, {-20, -50, -2, -2}, {10, -2, 1, 1}, {5, -2, 1, 0}};
/* The cost of each reply of the opponent. */
static const int ANSWER = 5;
/* The eight directions: `down` is the step in rows, `right` the step in columns. */
static const int DIRECTIONS[8][2] = {{0, 1},  {1, 0},  {1, 1},   {1, -1},
                                     {0, -1}, {-1, 0}, {-1, -1}, {-1, 1}};

/* Returns how many discs `own` turns over by playing on an empty square; 0: the move is illegal.
 * The discs are turned over on `after`, if it is not NULL. */
static int turn_over(const struct board *board, int row, int column, char own, char other,
                     struct board *after) {
    int discs = 0;
    for (int d = 0; d < 8; d++) {
        int down = DIRECTIONS[d][0], right = DIRECTIONS[d][1], length = 0;
        while (at(board, row + (length + 1) * down, column + (length + 1) * right) == other)
            length++;
        /* The discs of the opponent in this line are enclosed if the line ends at an own disc. */
        if (at(board, row + (length + 1) * down, column + (length + 1) * right) != own) continue;
        discs += length;
        for (int i = 1; after && i <= length; i++)
            after->squares[row + i * down][column + i * right] = own;
    }
    return discs;
}

/* Returns how many moves `own` has. */
static int answers(const struct board *board, char own, char other) {
    int count = 0;
    for (int row = 0; row < 8; row++)
        for (int column = 0; column < 8; column++)
            if (at(board, row, column) == '.' &&
                turn_over(board, row, column, own, other, NULL) > 0)
                count++;
    return count;
}

static int othello_worth(const struct board *board, int row, int column, char own, char other) {
    int down = smaller(row, 7 - row), right = smaller(column, 7 - column);
    int worth = SQUARES[down][right];
    struct board after = *board;
    /* A square beside a corner is bad only while the corner is empty. */
    if (worth < 0 && down < 2 && right < 2 && at(board, row / 4 * 7, column / 4 * 7) != '.')
        worth = 0;
    turn_over(board, row, column, own, other, &after);
    after.squares[row][column] = own;
    return worth - ANSWER * answers(&after, other, own);
}

/* ---- Gomoku --------------------------------------------------------------------------------- */

/* The value of a row of five squares with 0 to 4 stones, if all are the bot's. */
static const int MINE[5] = {0, 30, 300, 5000, 1000000};
/* The value if all are the opponent's. */
static const int THEIRS[5] = {0, 20, 200, 2000, 100000};

static int gomoku_worth(const struct board *board, int row, int column, char own, char other) {
    int last = board->size - 1;
    /* Among equal moves, the move nearer to the middle is better. */
    int worth = smaller(row, last - row) + smaller(column, last - column);
    for (int d = 0; d < 4; d++) { /* the other four directions are the same lines, backwards */
        for (int start = -4; start <= 0; start++) { /* the row of five begins here */
            int mine = 0, theirs = 0, inside = 1;
            for (int i = start; i < start + 5; i++) {
                char stone = at(board, row + i * DIRECTIONS[d][0], column + i * DIRECTIONS[d][1]);
                if (stone == '#') inside = 0;
                if (stone == own) mine++;
                if (stone == other) theirs++;
            }
            if (inside && theirs == 0) worth += MINE[mine];
            else if (inside && mine == 0) worth += THEIRS[theirs];
            /* Stones of both colours: neither side can make a five here. */
        }
    }
    return worth;
}

/* Writes the move to play into `best`: one of `legal`, which is never empty. */
static void choose(const char *turn, int is_othello, char *best, size_t room) {
    const char *rows = value(turn, "board"), *legal = value(turn, "legal");
    const char *opening = value(turn, "opening"), *stone = value(opening, "stone");
    /* In an opening, the next stone may be of the opponent's colour. */
    int is_black = is_string(*stone ? stone : value(turn, "you"), "black");
    char own = is_black ? 'X' : 'O', other = is_black ? 'O' : 'X', move[LONGEST_WORD];
    struct board board = {0, {{0}}};
    int most = 0;

    if (is_string(value(opening, "ask"), "choose")) {
        /* The legal moves are words here. The first keeps the colours, or offers only one fifth
         * move. */
        next_string(&legal, best, room);
        return;
    }
    while (board.size < LARGEST &&
           next_string(&rows, board.squares[board.size], sizeof board.squares[0]))
        board.size++;
    best[0] = '\0';
    while (next_string(&legal, move, sizeof move)) {
        /* Counted from 0: "a1" is row 0, column 0, and "d3" is row 2, column 3. */
        int row = atoi(move + 1) - 1, column = move[0] - 'a';
        int worth = is_othello ? othello_worth(&board, row, column, own, other)
                               : gomoku_worth(&board, row, column, own, other);
        if (best[0] == '\0' || worth > most) {
            snprintf(best, room, "%s", move);
            most = worth;
        }
    }
}

/* ---- JSON ----------------------------------------------------------------------------------- *
 *
 * This reader can find a field of an object, in any order of fields, and read lists of strings. The
 * strings that this bot needs have no escapes such as \u0041, so escapes are not translated; in other
 * strings they are skipped. Invalid JSON is not detected. */

static const char *after_space(const char *s) { return s + strspn(s, " \t\r\n"); }

/* Returns the end of the string whose first quote `s` points to. */
static const char *after_string(const char *s) {
    for (s++; *s && *s != '"'; s++)
        if (*s == '\\' && s[1]) s++; /* an escaped quote does not end the string */
    return *s ? s + 1 : s;
}

/* Returns the end of the value at `s`: a string, a number, a word, or a whole list or object. */
static const char *after_value(const char *s) {
    int depth = 0;
    while (*s) {
        if (*s == '"') {
            s = after_string(s);
            continue;
        }
        if (depth == 0 && strchr(",]}", *s)) break;
        if (*s == '[' || *s == '{') depth++;
        if (*s == ']' || *s == '}') depth--;
        s++;
    }
    return s;
}

/* Returns the beginning of the value of a field, or an empty text if there is no such field. */
static const char *value(const char *object, const char *key) {
    const char *s = after_space(object);
    if (*s != '{') return "";
    for (;;) {
        s = after_space(s + 1); /* after the { or the comma */
        if (*s != '"') return "";
        int found = is_string(s, key);
        s = after_space(after_string(s));
        if (*s != ':') return "";
        s = after_space(s + 1);
        if (found) return s;
        s = after_value(s);
        if (*s != ',') return "";
    }
}

/* Returns whether a value is the string `text`. */
static int is_string(const char *value, const char *text) {
    size_t length = strlen(text);
    return value[0] == '"' && strncmp(value + 1, text, length) == 0 && value[length + 1] == '"';
}

/* Copies the next string of a list into `text` and moves `*list` behind it. Returns NULL at the end
 * of the list, and if a string is too long for `text`. */
static const char *next_string(const char **list, char *text, size_t room) {
    const char *first = after_space(*list);
    if (*first == '[' || *first == ',') first = after_space(first + 1);
    if (*first != '"') return NULL;
    *list = after_string(first);
    size_t length = (size_t)(*list - first) - 2;
    if (length >= room) return NULL;
    memcpy(text, first + 1, length);
    text[length] = '\0';
    return text;
}
