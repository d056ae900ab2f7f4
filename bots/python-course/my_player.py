"""The player. Put your own class in the place of AIPlayer; nothing else has to be changed."""

import random


class RandomPlayer:
    """Plays any legal move: the smallest player there is."""

    def __init__(self, color):
        self.color = color  # "X" or "O"

    def get_move(self, board):
        return random.choice(list(board.get_legal_actions(self.color)))


class AIPlayer:
    """Looks two moves ahead with alpha-beta; corners are worth most, the squares beside them least.
    Deeper is stronger and slower: each move more costs about five times as much."""

    DEPTH = 2
    WEIGHTS = [
        [100, -20, 10, 5, 5, 10, -20, 100],
        [-20, -50, -2, -2, -2, -2, -50, -20],
        [10, -2, 1, 1, 1, 1, -2, 10],
        [5, -2, 1, 0, 0, 1, -2, 5],
        [5, -2, 1, 0, 0, 1, -2, 5],
        [10, -2, 1, 1, 1, 1, -2, 10],
        [-20, -50, -2, -2, -2, -2, -50, -20],
        [100, -20, 10, 5, 5, 10, -20, 100],
    ]

    def __init__(self, color):
        self.color = color

    def get_move(self, board):
        """The best move, such as "D3"; None if there is none, which the arena never asks for."""
        _, action = self.search(board, self.color, self.DEPTH, -10**9, 10**9)
        return action

    def search(self, board, color, depth, alpha, beta):
        """What the board is worth to `color`, which is to move, and its best move."""
        other = "O" if color == "X" else "X"
        actions = list(board.get_legal_actions(color))
        if not actions:
            if not list(board.get_legal_actions(other)):  # the game is over: discs count
                return 10000 * (board.count(color) - board.count(other)), None
            value, _ = self.search(board, other, depth, -beta, -alpha)  # a pass
            return -value, None
        if depth == 0:
            return self.value(board, color) - self.value(board, other), None
        best = None
        for action in actions:
            flipped = board._move(action, color)
            value, _ = self.search(board, other, depth - 1, -beta, -alpha)
            board.backpropagation(action, flipped, color)
            if best is None or -value > alpha:
                alpha, best = max(alpha, -value), action
            if alpha >= beta:
                break  # the opponent will not let it come to this
        return alpha, best

    def value(self, board, color):
        """The weights of all squares that `color` has."""
        return sum(
            self.WEIGHTS[row][column]
            for row in range(8)
            for column in range(8)
            if board[row][column] == color
        )
