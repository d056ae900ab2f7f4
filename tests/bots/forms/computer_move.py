import rules

def getComputerMove(board, tile):
    if any(cell not in ('X', 'O', ' ') for column in board for cell in column):
        raise ValueError('a strange board')
    return max(rules.getValidMoves(board, tile))

while True:
    print(getComputerMove(rules.getNewBoard(), input()))
