// A bot for Othello and Gomoku in one file of plain C++17, to copy and to improve.
//
// Othello: corners have the highest value and the squares beside them the lowest. A move is better
// if it leaves the opponent fewer replies.
// Gomoku: a row of five squares that contains the move counts only if all its stones have one
// colour; more stones count more. Own stones can become a five; the opponent's stones must be
// stopped.
//
// It looks one move ahead. Among equally good moves it plays the first, so the same position always
// gets the same answer. The bots in ../python, ../javascript, ../c, ../java and ../shell play the
// same moves.
//
// The protocol is described in docs/protocol.md. Only a compiler is needed; `Json`, below, is a
// small JSON reader.

#include <algorithm>
#include <array>
#include <cstddef>
#include <iostream>
#include <limits>
#include <string>
#include <utility>
#include <vector>

// ---- JSON ---------------------------------------------------------------------------------------

// Reads a line of JSON. This reader can find a field of an object, in any order of fields, and read
// strings, whole numbers and lists of strings. The strings that this bot needs have no escapes such
// as \u0041, so escapes are not translated; in other strings they are skipped. Invalid JSON
// is not detected.
class Json {
public:
    explicit Json(const std::string &text, std::size_t place = 0) : text(text), place(place) {}

    // Returns the value of a field. Without such a field, returns the end of the text, which reads as an
    // empty string, as 0, and as an empty list.
    Json operator[](const std::string &key) const {
        Json at = *this;
        at.accept('{');
        while (at.peek() == '"') {
            bool found = at.string() == key;
            at.accept(':');
            if (found) return at;
            at.pass_over();
            at.accept(',');
        }
        return Json(text, text.size());
    }

    // Reads a string and moves behind it.
    std::string string() {
        std::string read;
        if (!accept('"')) return read;
        for (; place < text.size() && text[place] != '"'; place++) {
            // The character after a backslash does not end the string, even if it is a quote.
            if (text[place] == '\\') read += text[place++];
            if (place < text.size()) read += text[place];
        }
        place++;
        return read;
    }

    std::vector<std::string> strings() {
        std::vector<std::string> read;
        accept('[');
        while (peek() == '"') {
            read.push_back(string());
            accept(',');
        }
        return read;
    }

    long number() {
        long read = 0;
        while (peek() >= '0' && peek() <= '9') read = 10 * read + (text[place++] - '0');
        return read;
    }

private:
    const std::string &text;
    std::size_t place;

    // Returns the next character that is not a space; 0 at the end.
    char peek() {
        while (place < text.size() && std::string(" \t\r\n").find(text[place]) != std::string::npos)
            place++;
        return place < text.size() ? text[place] : '\0';
    }

    bool accept(char wanted) {
        if (peek() != wanted) return false;
        place++;
        return true;
    }

    // Moves behind a value: a string, a number, a word, or a whole list or object.
    void pass_over() {
        int depth = 0;
        for (char next = peek(); next != '\0'; next = peek()) {
            if (depth == 0 && (next == ',' || next == ']' || next == '}')) return;
            if (next == '"') {
                string();
                continue;
            }
            if (next == '[' || next == '{') depth++;
            if (next == ']' || next == '}') depth--;
            place++;
        }
    }
};

// ---- The board ----------------------------------------------------------------------------------

struct Square {
    int row, column; // both counted from 0: "a1" is {0, 0}, "d3" is {2, 3}

    Square step(int down, int right, int times = 1) const {
        return {row + times * down, column + times * right};
    }
};

Square square(const std::string &name) { return {std::stoi(name.substr(1)) - 1, name[0] - 'a'}; }

// Rows from the top, 'X' black, 'O' white, '.' empty.
using Board = std::vector<std::string>;

// Returns the contents of a square; '#' outside the board.
char at(const Board &board, Square square) {
    int size = static_cast<int>(board.size());
    bool inside = square.row >= 0 && square.row < size && square.column >= 0 && square.column < size;
    return inside ? board[square.row][square.column] : '#';
}

// The eight directions: `down` is the step in rows, `right` the step in columns.
constexpr std::array<std::pair<int, int>, 8> DIRECTIONS{
    {{0, 1}, {1, 0}, {1, 1}, {1, -1}, {0, -1}, {-1, 0}, {-1, -1}, {-1, 1}}};

// ---- Othello ------------------------------------------------------------------------------------

// The value of a square, by its distance from the nearest edges: 100 for a corner, -20 or -50
// beside it.
constexpr int SQUARES[4][4] = {
    {100, -20, 10, 5}, {-20, -50, -2, -2}, {10, -2, 1, 1}, {5, -2, 1, 0}};
// The cost of each reply of the opponent.
constexpr int ANSWER = 5;

// Returns the discs that `own` turns over by playing on an empty square; if there are none, the
// move is illegal.
std::vector<Square> turned(const Board &board, Square place, char own, char other) {
    std::vector<Square> discs;
    for (auto [down, right] : DIRECTIONS) {
        int length = 0;
        while (at(board, place.step(down, right, length + 1)) == other) length++;
        // The discs of the opponent in this line are enclosed if the line ends at an own disc.
        if (at(board, place.step(down, right, length + 1)) != own) continue;
        for (int i = 1; i <= length; i++) discs.push_back(place.step(down, right, i));
    }
    return discs;
}

// Returns how many moves `own` has.
int answers(const Board &board, char own, char other) {
    int count = 0;
    for (int row = 0; row < 8; row++)
        for (int column = 0; column < 8; column++)
            if (at(board, {row, column}) == '.' && !turned(board, {row, column}, own, other).empty())
                count++;
    return count;
}

int othello_worth(const Board &board, Square place, char own, char other) {
    int down = std::min(place.row, 7 - place.row);
    int right = std::min(place.column, 7 - place.column);
    int worth = SQUARES[down][right];
    // A square beside a corner is bad only while the corner is empty.
    char corner = at(board, {place.row / 4 * 7, place.column / 4 * 7});
    if (worth < 0 && down < 2 && right < 2 && corner != '.') worth = 0;
    Board after = board;
    after[place.row][place.column] = own;
    for (Square disc : turned(board, place, own, other)) after[disc.row][disc.column] = own;
    return worth - ANSWER * answers(after, other, own);
}

// ---- Gomoku -------------------------------------------------------------------------------------

// The value of a row of five squares with 0 to 4 stones, if all are the bot's.
constexpr int MINE[5] = {0, 30, 300, 5000, 1000000};
// The value if all are the opponent's.
constexpr int THEIRS[5] = {0, 20, 200, 2000, 100000};

int gomoku_worth(const Board &board, Square place, char own, char other) {
    int last = static_cast<int>(board.size()) - 1;
    // Among equal moves, the move nearer to the middle is better.
    int worth = std::min(place.row, last - place.row) + std::min(place.column, last - place.column);
    for (int d = 0; d < 4; d++) { // the other four directions are the same lines, backwards
        auto [down, right] = DIRECTIONS[d];
        for (int start = -4; start <= 0; start++) { // the row of five begins here
            int mine = 0, theirs = 0;
            bool inside = true;
            for (int i = start; i < start + 5; i++) {
                char stone = at(board, place.step(down, right, i));
                inside = inside && stone != '#';
                mine += stone == own;
                theirs += stone == other;
            }
            if (inside && theirs == 0) worth += MINE[mine];
            else if (inside && mine == 0) worth += THEIRS[theirs];
            // Stones of both colours: neither side can make a five here.
        }
    }
    return worth;
}

// ---- The protocol -------------------------------------------------------------------------------

// The opening rules of Gomoku that this bot knows. Without this list, the arena gives it no games
// with opening rules.
const char *const OPENINGS = R"(["swap","swap2","soosyrv-8","taraguchi-10","rif"])";

// Returns the move to play: one of `legal`, which is never empty.
std::string choose(const Json &turn, bool is_othello) {
    Json opening = turn["opening"];
    // The legal moves are words here. The first keeps the colours, or offers only one fifth move.
    if (opening["ask"].string() == "choose") return turn["legal"].strings()[0];
    // In an opening, the next stone may be of the opponent's colour.
    std::string stone = opening["stone"].string();
    bool is_black = (stone.empty() ? turn["you"].string() : stone) == "black";
    char own = is_black ? 'X' : 'O', other = is_black ? 'O' : 'X';
    Board board = turn["board"].strings();
    std::string best;
    int most = std::numeric_limits<int>::min();
    for (const std::string &move : turn["legal"].strings()) {
        int worth = is_othello ? othello_worth(board, square(move), own, other)
                               : gomoku_worth(board, square(move), own, other);
        if (worth > most) {
            best = move;
            most = worth;
        }
    }
    return best;
}

int main() {
    bool is_othello = true;
    // The loop ends when the arena closes the pipe.
    for (std::string line; std::getline(std::cin, line);) {
        Json message(line);
        std::string type = message["type"].string();
        // std::endl sends the line at once; with "\n" it would wait in a buffer, and the bot would lose
        // on time. Print nothing else here; use std::cerr for debugging.
        if (type == "hello") { // a new game: forget the last one
            is_othello = message["game"].string() == "othello";
            std::cout << R"({"type":"ready","openings":)" << OPENINGS
                      << R"(,"name":"cpp","version":"1.0"})" << std::endl;
        } else if (type == "turn") {
            std::cout << R"({"type":"move","id":)" << message["id"].number() << R"(,"move":")"
                      << choose(message, is_othello) << R"("})" << std::endl;
        } else if (type == "quit") {
            break;
        }
        // "over" needs no answer, and messages of other types must be ignored.
    }
}
