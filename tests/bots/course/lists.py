from graphics import *
COLUMN, ROW = 15, 15
list1, list2, list3, list_all = [], [], [], []
def ai():
    for column in range(COLUMN + 1):
        for row in range(ROW + 1):
            if (column, row) not in list3:
                return column, row
def main():
    win = GraphWin('this is a gobang game', 500, 500)
    while True:
        win.getMouse()
main()
