#!/bin/sh
# A bot for Othello and Gomoku in plain POSIX shell and awk, to show that a bot needs no libraries.
#
# Othello: corners have the highest value and the squares beside them the lowest. A move is better
# if it leaves the opponent fewer replies.
# Gomoku: a row of five squares that contains the move counts only if all its stones have one
# colour; more stones count more. Own stones can become a five; the opponent's stones must be
# stopped.
#
# It looks one move ahead. Among equally good moves it plays the first, so the same position always
# gets the same answer. The bots in ../python, ../javascript, ../c, ../cpp and ../java play the same
# moves.
#
# The protocol is described in docs/protocol.md. The shell reads the lines, because some awks wait for
# more than one line of input. Each line is given to a new awk process, which prints the answer when it
# ends. This costs a few milliseconds per move.

# ---- The awk program for one line -----------------------------------------------------------------

program='
# Reads one message. `game` is the game of the last "hello". Prints the next action: the new game
# after "hello", the answer after "turn", "quit" after "quit", nothing otherwise.
{
    split_fields($0)
    if (field["type"] == "hello") print "game", field["game"]
    if (field["type"] == "quit") print "quit"
    if (field["type"] == "turn")
        printf "say {\"type\":\"move\",\"id\":%d,\"move\":\"%s\"}\n", field["id"], choose()
}

# A small JSON reader: the fields of the object in `text`, each with its unchanged value, strings
# without their quotes. Strings are cut out first, so that brackets and commas in them do not count.
# Escapes are skipped and not translated: the strings that this bot needs have none.
function split_fields(text,    key, piece, depth, value, is_key) {
    is_key = 1
    while (match(text, /"([^"\\]|\\.)*"|[][{},:]|[^][{},:" \t\r]+/)) {
        piece = substr(text, RSTART, RLENGTH)
        text = substr(text, RSTART + RLENGTH)
        if (piece ~ /^[]}]$/) depth--
        if (depth == 1 && is_key && piece ~ /^"/) key = unquoted(piece)
        else if (depth == 1 && piece == ":") { is_key = 0; value = "" }
        else if ((depth == 1 && piece == ",") || depth == 0) {
            # A field ends with a comma, the last one with the bracket of the object.
            if (!is_key) field[key] = value
            is_key = 1
        }
        # A list becomes its strings, with a space after each.
        else if (depth == 1) value = value unquoted(piece)
        else if (piece ~ /^"/) value = value unquoted(piece) " "
        if (piece ~ /^[[{]$/) depth++
    }
}

function unquoted(piece) {
    if (piece ~ /^"/) return substr(piece, 2, length(piece) - 2)
    return piece ~ /^[][{}]$/ ? "" : piece
}

# Returns the move to play: one of `legal`, which is never empty.
function choose(    rows, moves, count, i, j, row, column, worth, most, best) {
    count = split(field["legal"], moves, " ")
    # The legal moves are words here. The first keeps the colours, or offers only one fifth move.
    if (field["opening"] ~ /ask choose /) return moves[1]
    # In an opening, the next stone may be of the other colour.
    if (match(field["opening"], /stone (black|white) /)) field["you"] = substr(field["opening"], RSTART + 6, 5)
    own = field["you"] == "black" ? "X" : "O"
    other = own == "X" ? "O" : "X"
    # Squares are board[row, column], counted from 1; outside the board they are empty, "".
    size = split(field["board"], rows, " ")
    for (i = 1; i <= size; i++)
        for (j = 1; j <= size; j++) board[i, j] = substr(rows[i], j, 1)
    # The eight directions: `down` is the step in rows, `right` the step in columns.
    split("0 1 1 1 0 -1 -1 -1", down, " ")
    split("1 0 1 -1 -1 0 -1 1", right, " ")
    for (i = 1; i <= count; i++) {
        row = substr(moves[i], 2) + 0
        column = index("abcdefghijklmnopqrstuv", substr(moves[i], 1, 1))
        worth = game == "othello" ? othello_worth(row, column) : gomoku_worth(row, column)
        if (i == 1 || worth > most) { best = moves[i]; most = worth }
    }
    return best
}

function smaller(a, b) { return a < b ? a : b }

# Returns the number of stones of `colour` that follow (row, column) without a gap, in direction d.
function run_length(row, column, d, colour,    count) {
    while (board[row + (count + 1) * down[d], column + (count + 1) * right[d]] == colour) count++
    return count + 0
}

# ---- Othello

# Returns the places of all discs that `me` turns over by playing on an empty square, each with a
# space after it; if there are none, the move is illegal.
function turned(row, column, me, you,    d, i, count, r, c, discs) {
    for (d = 1; d <= 8; d++) {
        count = run_length(row, column, d, you)
        r = row + (count + 1) * down[d]
        c = column + (count + 1) * right[d]
        # The discs of the opponent in this line are enclosed if the line ends at an own disc.
        if (count > 0 && board[r, c] == me)
            for (i = 1; i <= count; i++)
                discs = discs (row + i * down[d]) SUBSEP (column + i * right[d]) " "
    }
    return discs
}

function othello_worth(row, column,    weights, line, to_edge, to_side, worth, discs, n, i, r, c) {
    # The value of a square, by its distance from the nearest edges: 100 for a corner, -20 or -50
    # beside it.
    split("100 -20 10 5|-20 -50 -2 -2|10 -2 1 1|5 -2 1 0", weights, "|")
    to_edge = smaller(row, 9 - row)
    to_side = smaller(column, 9 - column)
    split(weights[to_edge], line, " ")
    worth = line[to_side]
    # A square beside a corner is bad only while the corner is empty.
    if (worth < 0 && to_edge <= 2 && to_side <= 2 && board[row < 5 ? 1 : 8, column < 5 ? 1 : 8] != ".")
        worth = 0
    # Plays the move, counts the replies (each costs 5), and takes the move back.
    n = split(turned(row, column, own, other), discs, " ")
    for (i = 1; i <= n; i++) board[discs[i]] = own
    board[row, column] = own
    for (r = 1; r <= 8; r++)
        for (c = 1; c <= 8; c++)
            if (board[r, c] == "." && turned(r, c, other, own) != "") worth -= 5
    for (i = 1; i <= n; i++) board[discs[i]] = other
    board[row, column] = "."
    return worth
}

# ---- Gomoku

function gomoku_worth(row, column,    own_values, other_values, worth, d, start, i, stone, mine, theirs) {
    # The value of a row of five squares with 0 to 4 stones, all of one colour: ours, or theirs.
    split("0 30 300 5000 1000000", own_values, " ")
    split("0 20 200 2000 100000", other_values, " ")
    # Among equal moves, the move nearer to the middle is better.
    worth = smaller(row - 1, size - row) + smaller(column - 1, size - column)
    for (d = 1; d <= 4; d++) { # the other four directions are the same lines, backwards
        # The squares before and after the move, as one text.
        stones = ""
        for (i = -4; i <= 4; i++) {
            stone = board[row + i * down[d], column + i * right[d]]
            stones = stones (stone == "" ? "#" : stone)
        }
        for (start = 1; start <= 5; start++) {
            five = substr(stones, start, 5)
            if (five ~ /#/) continue
            mine = gsub(own, "", five)
            theirs = gsub(other, "", five)
            if (theirs == 0) worth += own_values[mine + 1]
            else if (mine == 0) worth += other_values[theirs + 1]
            # Stones of both colours: neither side can make a five here.
        }
    }
    return worth
}
'

# ---- The protocol --------------------------------------------------------------------------------

game=
# The loop ends when the arena closes the pipe.
while IFS= read -r line; do
    # Standard output is only for messages; debug with echo ... >&2.
    answer=$(printf '%s\n' "$line" | awk -v game="$game" "$program")
    case $answer in
    'game '*) # a new game: forget the last one
        game=${answer#game }
        # The opening rules of Gomoku that this bot knows. Without this list, the arena gives it no
        # games with opening rules.
        echo '{"type":"ready","name":"shell","version":"1.0","openings":["swap","swap2","soosyrv-8","taraguchi-10","rif"]}'
        ;;
    'say '*) echo "${answer#say }" ;;
    quit) exit 0 ;;
    esac
    # "over" needs no answer, and messages of other types must be ignored.
done
