//! A player in each form of a course. All play the first legal move they find, and are ours.

pub const AI_PLAYER: &str = "
class AIPlayer:
    def __init__(self, color):
        self.color = color
    def get_move(self, board):
        print('thinking')
        return list(board.get_legal_actions(self.color))[0]
";
pub const THINKS: &str = "
class AIPlayer:
    def __init__(self, color):
        self.color = color
    def think(self, board):
        best = max(board.get_legal_actions(self.color), key=lambda move: self.gain(board, move))
        return best
    def gain(self, board, move):
        before = board.count(self.color)
        flipped = board._move(move, self.color)
        after = board.count(self.color)
        board.backpropagation(move, flipped, self.color)
        return after - before
";
pub const CHANGES_THE_BOARD: &str = "
class AIPlayer:
    def __init__(self, color):
        self.color = color
    def get_move(self, board):
        move = list(board.get_legal_actions(self.color))[0]
        board._move(move, self.color)
        return move
";
pub const BEST_STRATEGY: &str = "
DIRECTIONS = (-11, -10, -9, -1, 1, 9, 10, 11)
EMPTY, BLACK, WHITE, OUTER = '.', '@', 'o', '?'
class Strategy():
    def best_strategy(self, board, player, best_move, still_running):
        other = WHITE if player == BLACK else BLACK
        for square in range(11, 89):
            if board[square] == EMPTY and any(self.turns(board, square, d, player, other) for d in DIRECTIONS):
                best_move.value = square
                if not still_running.value:
                    return
    def turns(self, board, square, direction, player, other):
        square += direction
        if board[square] != other:
            return False
        while board[square] == other:
            square += direction
        return board[square] == player
";
pub const REVERSI_AI: &str = "
def reversi_ai(player, board, allow):
    assert len(board) == 64 and board.count(player) > 0
    return allow.index(True)
";
pub const FUNCTION: &str = "
def legal(board, player):
    for row in range(8):
        for column in range(8):
            if board[row][column] == 0 and any(
                turns(board, row, column, down, right, player)
                for down in (-1, 0, 1) for right in (-1, 0, 1)
            ):
                yield row, column
def turns(board, row, column, down, right, player):
    seen = 0
    while True:
        row, column = row + down, column + right
        if not (0 <= row < 8 and 0 <= column < 8) or board[row][column] == 0:
            return False
        if board[row][column] == player:
            return seen > 0
        seen += 1
def get_move(board, player):
    return next(legal(board, player))
";
pub const BOTZONE: &str = "
import json
said = json.loads(input())
cells = {(3, 3): 0, (4, 4): 0, (4, 3): 1, (3, 4): 1}
def play(x, y, own):
    found = []
    for dx in (-1, 0, 1):
        for dy in (-1, 0, 1):
            line, at = [], (x + dx, y + dy)
            while cells.get(at) == 1 - own:
                line.append(at)
                at = (at[0] + dx, at[1] + dy)
            if line and cells.get(at) == own:
                found += line
    return found
def put(x, y, own):
    if x >= 0:
        for square in play(x, y, own) + [(x, y)]:
            cells[square] = own
own = 1 if said['requests'][0]['x'] < 0 else 0
for turn, request in enumerate(said['requests']):
    put(request['x'], request['y'], 1 - own)
    if turn < len(said['responses']):
        put(said['responses'][turn]['x'], said['responses'][turn]['y'], own)
x, y = next((x, y) for x in range(8) for y in range(8) if (x, y) not in cells and play(x, y, own))
print(json.dumps({'response': {'x': x, 'y': y}}))
";
/// Reversed Othello, as the file says; here it plays the usual one.
pub const AI_GO: &str = "
'''Reversed Reversi: fewer discs win.'''
import numpy as np
class AI(object):
    def __init__(self, chessboard_size, color, time_out):
        self.size, self.color, self.candidate_list = chessboard_size, color, []
    def go(self, chessboard):
        self.candidate_list.clear()
        for row in range(self.size):
            for column in range(self.size):
                if chessboard[row][column] == 0 and any(
                    self.turns(chessboard, row, column, down, right)
                    for down in (-1, 0, 1) for right in (-1, 0, 1)
                ):
                    self.candidate_list.append((row, column))
    def turns(self, board, row, column, down, right):
        seen = 0
        while True:
            row, column = row + down, column + right
            if not (0 <= row < self.size and 0 <= column < self.size) or board[row][column] == 0:
                return False
            if board[row][column] == self.color:
                return seen > 0
            seen += 1
";
pub const LISTS: &str = "
from graphics import *
COLUMN, ROW = 15, 15
list1, list2, list3, list_all = [], [], [], []
def ai():
    for column in range(COLUMN + 1):
        for row in range(ROW + 1):
            if (column, row) not in list3:
                return column, row
def main():
    win = GraphWin('this is a gobang game', 500, 500)
    while True:
        win.getMouse()
main()
";
pub const BRAIN: &str = "
import pisqpipe as pp, time
pp.infotext = 'name=\"pbrain-first\", version=\"1.0\"'
taken = set()
def brain_init():
    taken.clear()
    pp.pipeOut('OK')
def brain_restart():
    brain_init()
def brain_my(x, y):
    taken.add((x, y))
def brain_opponents(x, y):
    taken.add((x, y))
def brain_turn():
    time.clock()
    pp.do_mymove(*next((x, y) for x in range(pp.width) for y in range(pp.height) if (x, y) not in taken))
def brain_end():
    pass
for name in ['brain_init', 'brain_restart', 'brain_my', 'brain_opponents', 'brain_turn', 'brain_end']:
    setattr(pp, name, globals()[name])
pp.main()
";
/// Numbers, and kept; the same program for both games of Botzone.
pub const BOTZONE_TEXT: &str = "
lines = [tuple(map(int, input().split())) for _ in range(2 * int(input()) - 1)]
while True:
    answer = next((x, y) for x in range(15) for y in range(15) if (x, y) not in lines)
    print(*answer)
    print('>>>BOTZONE_REQUEST_KEEP_RUNNING<<<', flush=True)
    lines += [answer, tuple(map(int, input().split()))]
";
pub const COLUMBIA: &str = "
def turns(board, row, column, down, right, color):
    seen = 0
    while True:
        row, column = row + down, column + right
        if not (0 <= row < 8 and 0 <= column < 8) or board[row][column] == 0:
            return False
        if board[row][column] == color:
            return seen > 0
        seen += 1
def select(board, color):
    for i in range(8):
        for j in range(8):
            if board[j][i] == 0 and any(turns(board, j, i, d, r, color) for d in (-1, 0, 1) for r in (-1, 0, 1)):
                return i, j
print('First of all')
color = int(input())
while True:
    status, dark, light = input().strip().split()
    if status == 'FINAL':
        break
    i, j = select(eval(input()), color)
    print('{} {}'.format(i, j), flush=True)
";

/// A program for a window, whose game begins when it is imported.
pub const WITH_A_WINDOW: &str = "
from tkinter import *
import random
class AIPlayer:
    def __init__(self, color):
        self.color = color
    def get_move(self, board):
        return random.choice(list(board.get_legal_actions(self.color)))
root = Tk()
canvas = Canvas(root, width=400, height=400)
canvas.pack()
while True:
    name = input('your name? ')
    root.update()
root.mainloop()
";

/// It keeps the square with the largest number, after the first, and does not stop by itself.
pub const NEVER_ENDS: &str = "
import time
DIRECTIONS = (-11, -10, -9, -1, 1, 9, 10, 11)
class Strategy:
    def best_strategy(self, board, player, best_move, still_running):
        other = 'o' if player == '@' else '@'
        def turns(square, direction):
            square += direction
            if board[square] != other:
                return False
            while board[square] == other:
                square += direction
            return board[square] == player
        legal = [s for s in range(11, 89) if board[s] == '.' and any(turns(s, d) for d in DIRECTIONS)]
        best_move.value = legal[0]
        time.sleep(0.05)
        best_move.value = legal[-1]
        while True:
            pass
";
