from tkinter import *
import random
class AIPlayer:
    def __init__(self, color):
        self.color = color
    def get_move(self, board):
        return random.choice(list(board.get_legal_actions(self.color)))
root = Tk()
canvas = Canvas(root, width=400, height=400)
canvas.pack()
while True:
    name = input('your name? ')
    root.update()
root.mainloop()
