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
