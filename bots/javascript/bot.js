// A bot for Othello and Gomoku in one file of plain JavaScript, to copy and to improve.
//
// Othello: corners have the highest value and the squares beside them the lowest. A move is better
// if it leaves the opponent fewer replies.
// Gomoku: a row of five squares that contains the move counts only if all its stones have one
// colour; more stones count more. Own stones can become a five; the opponent's stones must be
// stopped.
//
// It looks one move ahead. Among equally good moves it plays the first, so the same position always
// gets the same answer. The bots in ../python, ../c, ../cpp, ../java and ../shell play the
// same moves.
//
// The protocol is described in docs/protocol.md. Only Node is needed.

"use strict";

const readline = require("readline");

// One message, one line. Print nothing else; use console.error for debugging.
function say(message) {
  process.stdout.write(JSON.stringify(message) + "\n");
}

// The opening rules of Gomoku that this bot knows. Without this list, the arena gives it no games
// with opening rules.
const OPENINGS = ["swap", "swap2", "soosyrv-8", "taraguchi-10", "rif"];

let game = null;

// Called for every line from the arena.
function listen(line) {
  const message = JSON.parse(line);
  if (message.type === "hello") {
    game = message.game; // a new game: forget the last one
    say({ type: "ready", name: "javascript", version: "1.0", openings: OPENINGS });
  } else if (message.type === "turn") {
    say({ type: "move", id: message.id, move: choose(message) });
  } else if (message.type === "quit") {
    process.exit(0);
  }
  // "over" needs no answer, and messages of other types must be ignored.
}

// Returns the move to play: one of turn.legal, which is never empty.
function choose(turn) {
  // The legal moves are words here. The first keeps the colours, or offers only one fifth move.
  if (turn.opening?.ask === "choose") return turn.legal[0];
  // In an opening, the next stone may be of the opponent's colour.
  const mover = turn.opening?.stone ?? turn.you;
  const [own, other] = mover === "black" ? "XO" : "OX";
  const board = turn.board.map((row) => [...row]); // letters, so that a square can be set
  const worth = game === "othello" ? othelloWorth : gomokuWorth;
  let best = null;
  let most = -Infinity;
  for (const move of turn.legal) {
    const value = worth(board, ...square(move), own, other);
    if (value > most) {
      best = move;
      most = value;
    }
  }
  return best;
}

// Returns [row, column] of a square, both counted from 0: "a1" is [0, 0], "d3" is [2, 3].
function square(name) {
  return [Number(name.slice(1)) - 1, name.charCodeAt(0) - "a".charCodeAt(0)];
}

// ---- Othello ----------------------------------------------------------------------------------

// The value of a square, by its distance from the nearest edges: 100 for a corner, -20 or -50
// beside it.
const SQUARES = [
  [100, -20, 10, 5],
  [-20, -50, -2, -2],
  [10, -2, 1, 1],
  [5, -2, 1, 0],
];
// The cost of each reply of the opponent.
const ANSWER = 5;
// The eight directions on a board, as [rows down, columns right].
const DIRECTIONS = [[0, 1], [1, 0], [1, 1], [1, -1], [0, -1], [-1, 0], [-1, -1], [-1, 1]];

// Returns the discs that `own` turns over by playing on an empty square; if there are none, the
// move is illegal.
function turned(board, row, column, own, other) {
  const discs = [];
  for (const [down, right] of DIRECTIONS) {
    const enclosed = [];
    let [r, c] = [row + down, column + right];
    // Outside the board, board[r] is undefined; with ?. such a square matches no colour.
    while (board[r]?.[c] === other) {
      enclosed.push([r, c]);
      [r, c] = [r + down, c + right];
    }
    // The discs of the opponent in this line are enclosed if the line ends at an own disc.
    if (board[r]?.[c] === own) discs.push(...enclosed);
  }
  return discs;
}

// Returns how many moves `own` has.
function answers(board, own, other) {
  let count = 0;
  for (let r = 0; r < 8; r++) {
    for (let c = 0; c < 8; c++) {
      if (board[r][c] === "." && turned(board, r, c, own, other).length > 0) count++;
    }
  }
  return count;
}

function othelloWorth(board, row, column, own, other) {
  const down = Math.min(row, 7 - row);
  const right = Math.min(column, 7 - column);
  let worth = SQUARES[down][right];
  // A square beside a corner is bad only while the corner is empty.
  const corner = board[row < 4 ? 0 : 7][column < 4 ? 0 : 7];
  if (worth < 0 && down < 2 && right < 2 && corner !== ".") worth = 0;
  const after = board.map((line) => [...line]);
  for (const [r, c] of [[row, column], ...turned(board, row, column, own, other)]) {
    after[r][c] = own;
  }
  return worth - ANSWER * answers(after, other, own);
}

// ---- Gomoku -----------------------------------------------------------------------------------

// The value of a row of five squares with 0 to 4 stones, if all are the bot's.
const MINE = [0, 30, 300, 5000, 1000000];
// The value if all are the opponent's.
const THEIRS = [0, 20, 200, 2000, 100000];

function gomokuWorth(board, row, column, own, other) {
  const size = board.length;
  // Among equal moves, the move nearer to the middle is better.
  let worth = Math.min(row, size - 1 - row) + Math.min(column, size - 1 - column);
  // The other four directions are the same lines, backwards.
  for (const [down, right] of DIRECTIONS.slice(0, 4)) {
    for (let start = -4; start <= 0; start++) {
      // The row of five begins 4, 3, 2, 1 or 0 squares before the move.
      let mine = 0;
      let theirs = 0;
      let inside = true;
      for (let i = start; i < start + 5; i++) {
        const stone = board[row + i * down]?.[column + i * right];
        if (stone === undefined) inside = false;
        if (stone === own) mine++;
        if (stone === other) theirs++;
      }
      if (inside && theirs === 0) worth += MINE[mine];
      else if (inside && mine === 0) worth += THEIRS[theirs];
      // Stones of both colours: neither side can make a five here.
    }
  }
  return worth;
}

// Node ends by itself when the arena closes the pipe.
readline.createInterface({ input: process.stdin }).on("line", listen);
