class AIPlayer:
    def __init__(self, color):
        self.color = color
    def get_move(self, board):
        print('thinking')
        return list(board.get_legal_actions(self.color))[0]
