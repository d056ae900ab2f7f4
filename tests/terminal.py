"""A small terminal: terminal.py COLUMNS PRESS-CTRL-C-AFTER COMMAND...

Runs a command in a terminal of COLUMNS columns. Types Ctrl-C once the screen matches the given regular expression
(empty: never). At the end, prints the text on the screen, a line "-----", and every text that a line ever had. Supports
the output of a progress bar: line ends, cursor up and back, clearing.
"""

import fcntl
import os
import pty
import re
import struct
import sys
import termios

COLUMNS, PRESS, COMMAND = int(sys.argv[1]), sys.argv[2], sys.argv[3:]
screen, seen = [[]], {}
row = column = 0


def put(letter):
    global row, column
    if column == COLUMNS:  # the line is full: further text begins the next line
        row, column = row + 1, 0
    while row >= len(screen):
        screen.append([])
    line = screen[row]
    line.extend(" " * (column + 1 - len(line)))
    line[column] = letter
    column += 1


def note():
    """Records the text of the cursor's line before it is overwritten or cleared."""
    if row < len(screen):
        seen["".join(screen[row]).rstrip()] = None


def control(number, letter):
    global row, column
    note()
    if letter == "A":
        row = max(0, row - (number or 1))
    elif letter == "B":
        row += number or 1
    elif letter == "D":
        column = max(0, min(column, COLUMNS - 1) - (number or 1))
    elif letter == "K":
        while row >= len(screen):
            screen.append([])
        screen[row] = [] if number == 2 else screen[row][:column]
    elif letter == "J":
        del screen[row + 1 :]
        screen[row] = screen[row][:column]
    elif letter not in "mhl":
        sys.exit(f"this terminal does not know {letter!r}")


def text():
    return "\n".join("".join(line).rstrip() for line in screen)


pid, terminal = pty.fork()
if pid == 0:
    os.environ["TERM"] = "xterm"
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 50, COLUMNS, 0, 0))
    os.execvp(COMMAND[0], COMMAND)
rest = ""
pressed = not PRESS
while True:
    try:
        piece = os.read(terminal, 4096)
    except OSError:  # the command has ended
        break
    rest += piece.decode("utf-8", "replace")
    while rest:
        escape = re.match(r"\x1b\[\??(\d*)([A-Za-z])", rest)
        if escape:
            control(int(escape[1] or 0), escape[2])
            rest = rest[escape.end() :]
            continue
        if rest[0] == "\x1b" and len(rest) < 8:
            break  # the rest of the sequence has not arrived
        letter, rest = rest[0], rest[1:]
        if letter == "\r":
            note()
            column = 0
        elif letter == "\n":
            row += 1
        elif letter >= " ":
            put(letter)
    for line in text().split("\n"):
        seen[line] = None
    if not pressed and re.search(PRESS, text()):
        pressed = True
        os.write(terminal, b"\x03")
os.waitpid(pid, 0)
print(text())
print("-----")
print("\n".join(seen))
