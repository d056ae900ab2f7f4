"""A bot for CodeClash's Gomoku arena. A stone is 1 or 2, the bot's colour is a word, and a move is a row and a column."""


def get_move(board: list, color: str) -> tuple[int, int]:
    own, other = (1, 2) if color == "black" else (2, 1)
    stones = [stone for row in board for stone in row]
    assert stones.count(own) == stones.count(other) - (color == "white") and set(stones) <= {0, 1, 2}, board
    size = len(board)
    empty = [(x, y) for x in range(size) for y in range(size) if board[x][y] == 0]
    # Prefers squares beside its own stones.
    return max(empty, key=lambda square: sum(board[x][y] == own for x, y in near(square, size)))


def near(square, size):
    x, y = square
    return [(a, b) for a in (x - 1, x, x + 1) for b in (y - 1, y, y + 1) if 0 <= a < size and 0 <= b < size]
