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
