class AIPlayer:
    def __init__(self, color):
        self.color = color
    def get_move(self, board):
        move = list(board.get_legal_actions(self.color))[0]
        board._move(move, self.color)
        return move
