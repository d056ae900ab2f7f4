// A bot for Othello and Gomoku in one file of plain Java 17, to copy and to improve.
//
// Othello: corners have the highest value and the squares beside them the lowest. A move is better
// if it leaves the opponent fewer replies.
// Gomoku: a row of five squares that contains the move counts only if all its stones have one
// colour; more stones count more. Own stones can become a five; the opponent's stones must be
// stopped.
//
// It looks one move ahead. Among equally good moves it plays the first, so the same position always
// gets the same answer. The bots in ../python, ../javascript, ../c, ../cpp and ../shell play the
// same moves.
//
// The protocol is described in docs/protocol.md. Only a JDK is needed; `Json`, at the end, is a
// small JSON reader.

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

public final class Bot {
    // The opening rules of Gomoku that this bot knows. Without this list, the arena gives it no
    // games with opening rules.
    private static final String OPENINGS = "[\"swap\",\"swap2\",\"soosyrv-8\",\"taraguchi-10\",\"rif\"]";

    private static boolean isOthello = true;

    public static void main(String[] arguments) throws IOException {
        var input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        // The loop ends when the arena closes the pipe.
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            var message = new Json(line);
            switch (message.field("type").string()) {
                case "hello" -> { // a new game: forget the last one
                    isOthello = message.field("game").string().equals("othello");
                    say("{\"type\":\"ready\",\"name\":\"java\",\"version\":\"1.0\",\"openings\":" + OPENINGS + "}");
                }
                case "turn" -> say("{\"type\":\"move\",\"id\":" + message.field("id").number()
                        + ",\"move\":\"" + choose(message) + "\"}");
                case "quit" -> {
                    return;
                }
                default -> {
                    // "over" needs no answer, and messages of other types must be ignored.
                }
            }
        }
    }

    // One message, one line, at once: without flush it could wait in a buffer, and the bot would lose
    // on time. Print nothing else here; use System.err for debugging.
    private static void say(String message) {
        System.out.print(message + "\n");
        System.out.flush();
    }

    // Returns the move to play: one of `legal`, which is never empty.
    private static String choose(Json turn) {
        Json opening = turn.field("opening");
        if (opening.field("ask").string().equals("choose")) {
            // The legal moves are words here. The first keeps the colours, or offers only one fifth
            // move.
            return turn.field("legal").strings().get(0);
        }
        // In an opening, the next stone may be of the opponent's colour.
        String stone = opening.field("stone").string();
        boolean isBlack = (stone.isEmpty() ? turn.field("you").string() : stone).equals("black");
        char own = isBlack ? 'X' : 'O';
        char other = isBlack ? 'O' : 'X';
        List<String> rows = turn.field("board").strings();
        char[][] board = new char[rows.size()][];
        for (int row = 0; row < board.length; row++) board[row] = rows.get(row).toCharArray();
        String best = null;
        int most = 0;
        for (String move : turn.field("legal").strings()) {
            // Counted from 0: "a1" is row 0, column 0, and "d3" is row 2, column 3.
            int row = Integer.parseInt(move.substring(1)) - 1;
            int column = move.charAt(0) - 'a';
            int worth = isOthello
                    ? othelloWorth(board, row, column, own, other)
                    : gomokuWorth(board, row, column, own, other);
            if (best == null || worth > most) {
                best = move;
                most = worth;
            }
        }
        return best;
    }

    // Returns the contents of a square; '#' outside the board.
    private static char at(char[][] board, int row, int column) {
        boolean inside = row >= 0 && row < board.length && column >= 0 && column < board.length;
        return inside ? board[row][column] : '#';
    }

    // The eight directions on a board, as {rows down, columns right}.
    private static final int[][] DIRECTIONS = {
        {0, 1}, {1, 0}, {1, 1}, {1, -1}, {0, -1}, {-1, 0}, {-1, -1}, {-1, 1}
    };

    // ---- Othello ----------------------------------------------------------------------------

    // The value of a square, by its distance from the nearest edges: 100 for a corner, -20 or -50
    // beside it.
    private static final int[][] SQUARES = {
        {100, -20, 10, 5}, {-20, -50, -2, -2}, {10, -2, 1, 1}, {5, -2, 1, 0}
    };
    // The cost of each reply of the opponent.
    private static final int ANSWER = 5;

    // Returns the discs, as {row, column}, that `own` turns over by playing on an empty square; if
    // there are none, the move is illegal.
    private static List<int[]> turned(char[][] board, int row, int column, char own, char other) {
        var discs = new ArrayList<int[]>();
        for (int[] step : DIRECTIONS) {
            int length = 0;
            int r = row + step[0];
            int c = column + step[1];
            for (; at(board, r, c) == other; r += step[0], c += step[1]) length++;
            // The discs of the opponent in this line are enclosed if the line ends at an own disc.
            if (at(board, r, c) != own) continue;
            for (int i = 1; i <= length; i++) {
                discs.add(new int[] {row + i * step[0], column + i * step[1]});
            }
        }
        return discs;
    }

    // Returns how many moves `own` has.
    private static int answers(char[][] board, char own, char other) {
        int count = 0;
        for (int row = 0; row < 8; row++) {
            for (int column = 0; column < 8; column++) {
                boolean isFree = board[row][column] == '.';
                if (isFree && !turned(board, row, column, own, other).isEmpty()) count++;
            }
        }
        return count;
    }

    private static int othelloWorth(char[][] board, int row, int column, char own, char other) {
        int down = Math.min(row, 7 - row);
        int right = Math.min(column, 7 - column);
        int worth = SQUARES[down][right];
        // A square beside a corner is bad only while the corner is empty.
        char corner = board[row / 4 * 7][column / 4 * 7];
        if (worth < 0 && down < 2 && right < 2 && corner != '.') worth = 0;
        char[][] after = new char[8][];
        for (int r = 0; r < 8; r++) after[r] = board[r].clone();
        after[row][column] = own;
        for (int[] disc : turned(board, row, column, own, other)) after[disc[0]][disc[1]] = own;
        return worth - ANSWER * answers(after, other, own);
    }

    // ---- Gomoku -----------------------------------------------------------------------------

    // The value of a row of five squares with 0 to 4 stones, if all are the bot's.
    private static final int[] MINE = {0, 30, 300, 5000, 1000000};
    // The value if all are the opponent's.
    private static final int[] THEIRS = {0, 20, 200, 2000, 100000};

    private static int gomokuWorth(char[][] board, int row, int column, char own, char other) {
        int last = board.length - 1;
        // Among equal moves, the move nearer to the middle is better.
        int worth = Math.min(row, last - row) + Math.min(column, last - column);
        for (int d = 0; d < 4; d++) { // the other four directions are the same lines, backwards
            // The row of five begins 4, 3, 2, 1 or 0 squares before the move.
            for (int start = -4; start <= 0; start++) {
                int mine = 0;
                int theirs = 0;
                boolean inside = true;
                for (int i = start; i < start + 5; i++) {
                    char stone = at(board, row + i * DIRECTIONS[d][0], column + i * DIRECTIONS[d][1]);
                    if (stone == '#') inside = false;
                    if (stone == own) mine++;
                    if (stone == other) theirs++;
                }
                if (inside && theirs == 0) worth += MINE[mine];
                else if (inside && mine == 0) worth += THEIRS[theirs];
                // Stones of both colours: neither side can make a five here.
            }
        }
        return worth;
    }

    // ---- JSON -------------------------------------------------------------------------------

    // Reads a line of JSON. This reader can find a field of an object, in any order of fields, and
    // read strings, whole numbers and lists of strings. The strings that this bot needs have no
    // escapes such as \\u0041, so escapes are not translated; in other strings they are
    // skipped. Invalid JSON is not detected.
    private static final class Json {
        private final String text;
        private int place;

        Json(String text) {
            this.text = text;
        }

        // Returns the value of a field. Without such a field, returns the end of the text, which
        // reads as an empty string, as 0, and as an empty list.
        Json field(String key) {
            var at = new Json(text);
            at.place = place;
            at.accept('{');
            while (at.peek() == '"') {
                boolean found = at.string().equals(key);
                at.accept(':');
                if (found) return at;
                at.passOver();
                at.accept(',');
            }
            at.place = text.length();
            return at;
        }

        // Reads a string and moves behind it.
        String string() {
            if (!accept('"')) return "";
            int first = place;
            while (place < text.length() && text.charAt(place) != '"') {
                // The character after a backslash does not end the string, even if it is a quote.
                place += text.charAt(place) == '\\' ? 2 : 1;
            }
            int end = Math.min(place, text.length());
            place = end + 1;
            return text.substring(first, end);
        }

        List<String> strings() {
            var read = new ArrayList<String>();
            accept('[');
            while (peek() == '"') {
                read.add(string());
                accept(',');
            }
            return read;
        }

        long number() {
            long read = 0;
            for (; peek() >= '0' && peek() <= '9'; place++) read = 10 * read + peek() - '0';
            return read;
        }

        // Returns the next character that is not a space; 0 at the end.
        private char peek() {
            while (place < text.length() && " \t\r\n".indexOf(text.charAt(place)) >= 0) place++;
            return place < text.length() ? text.charAt(place) : 0;
        }

        private boolean accept(char wanted) {
            if (peek() != wanted) return false;
            place++;
            return true;
        }

        // Moves behind a value: a string, a number, a word, or a whole list or object.
        private void passOver() {
            int depth = 0;
            for (char next = peek(); next != 0; next = peek()) {
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
    }
}
