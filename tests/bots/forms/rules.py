# Only this function shows that an empty square is a space. The dot in another function has another meaning.
def getNewBoard():
    return [[' '] * 8 for _ in range(8)]

def resetBoard(board):
    board[3][3] = board[4][4] = 'X'
    board[3][4] = board[4][3] = 'O'

def drawBoard(board):
    print('.'.join('-' * 8))

def getValidMoves(board, tile):
    return [[x, y] for x in range(8) for y in range(8) if isValidMove(board, tile, x, y)]

def isValidMove(board, tile, x, y):
    return board[x][y] == ' ' and any(turns(board, tile, x, y, dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1))

def turns(board, tile, x, y, dx, dy):
    seen = 0
    while True:
        x, y = x + dx, y + dy
        if not (0 <= x < 8 and 0 <= y < 8) or board[x][y] == ' ':
            return False
        if board[x][y] == tile:
            return seen > 0
        seen += 1
