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
