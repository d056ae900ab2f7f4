class AIPlayer:
    def __init__(self, color):
        self.color = color
    def think(self, board):
        best = max(board.get_legal_actions(self.color), key=lambda move: self.gain(board, move))
        return best
    def gain(self, board, move):
        before = board.count(self.color)
        flipped = board._move(move, self.color)
        after = board.count(self.color)
        board.backpropagation(move, flipped, self.color)
        return after - before
