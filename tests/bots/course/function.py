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
