"""The player. Replace AIPlayer by your own class; change nothing else."""

import random


class RandomPlayer:
    """Plays a random legal move: the smallest possible player."""

    def __init__(self, color):
        self.color = color  # "X" or "O"

    def get_move(self, board):
        return random.choice(list(board.get_legal_actions(self.color)))


class AIPlayer:
    """Looks two moves ahead with alpha-beta; corners have the highest value, the squares beside them the
    lowest. More depth is stronger and slower: each additional move takes about five times as long."""

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
        """The best move, such as "D3"; None if there is none (then the arena does not ask)."""
        _, action = self.search(board, self.color, self.DEPTH, -10**9, 10**9)
        return action

    def search(self, board, color, depth, alpha, beta):
        """The value of the board for `color`, which is to move, and its best move."""
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
                break  # the opponent avoids this position
        return alpha, best

    def value(self, board, color):
        """The sum of the weights of all squares of `color`."""
        return sum(
            self.WEIGHTS[row][column]
            for row in range(8)
            for column in range(8)
            if board[row][column] == color
        )
