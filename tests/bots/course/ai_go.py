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
