"""Runs a player that was written for a university course, unchanged.

Courses ask for a class or a function, not for a program. This file is the program: it talks to the
arena, sets up the board as the course's own platform would, and calls the player. You need not read it
to use it. The arena recognises these forms in any Python file:

    arena match my_player.py greedy
    arena check my_player.py

A form can be named, too: `python3 course_bot.py my_player.py --form ai-go`. The forms are

    ai-player      class AIPlayer(color): get_move(self, board), or the older think(self, board)
    ai-go          class AI(size, color, time_out): go(self, board) leaves moves in self.candidate_list
    lists          global lists list1 (own), list2 (other), list3 (all), and a function ai()
    best-strategy  class Strategy: best_strategy(self, board, player, best_move, still_running)
    reversi-ai     reversi_ai(player, board, allow)
    reversi-bot    class ReversiBot(move_num): make_move(self, state)
    function       a function such as get_move(board, player)
    kaggle         agent(observation, configuration), the last function of the file, for open_spiel_othello
    pisqpipe       a brain for pisqpipe.py, which speaks Gomocup's protocol itself

Windows do not open, and input() fails. If the file plays a game when it is imported, that game does not run, but the
file's globals exist. Output of the player goes to standard error, where it does no harm and is kept. Only Python 3 and
the modules that the player imports are needed.
"""

import ast
import enum
import importlib.abc
import importlib.util
import inspect
import json
import os
import random
import re
import subprocess  # before msvcrt is replaced: subprocess recognises Windows by it
import sys
import threading
import time
import types

sys.dont_write_bytecode = True


class Board:
    """An Othello board: "X" is black, "O" white, "." empty. `board[2][3]` is the content of D3: the row
    comes first, and both are counted from 0. A square may be written "D3" or (2, 3)."""

    empty = "."
    DIRECTIONS = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]

    def __init__(self, rows=None):
        if rows is None:  # the start: X on E4 and D5, O on D4 and E5
            rows = ["." * 8] * 3 + ["...OX...", "...XO..."] + ["." * 8] * 3
        self._board = [list(row) for row in rows]

    def __getitem__(self, row):
        return self._board[row]

    def display(self, step_time=None, total_time=None):
        """Prints the board, and the times if they are given as {"X": seconds, "O": seconds}."""
        print("  A B C D E F G H")
        for number, row in enumerate(self._board, 1):
            print(number, " ".join(row))
        print(f"black X: {self.count('X')}, white O: {self.count('O')}")
        for what, times in ("this move", step_time), ("in all", total_time):
            if times is not None:
                print(f"seconds {what}: black {times['X']}, white {times['O']}")
        print()

    def count(self, color):
        """Returns how many squares hold "X", "O" or "."."""
        return sum(row.count(color) for row in self._board)

    def game_over(self):
        """Returns whether neither side can move."""
        return not any(True for color in "XO" for _ in self.get_legal_actions(color))

    def get_winner(self):
        """Returns the winner (0 black, 1 white, 2 a draw) and the difference in discs."""
        lead = self.count("X") - self.count("O")
        return 2 if lead == 0 else int(lead < 0), abs(lead)

    def get_legal_actions(self, color):
        """Yields every move of `color` as "D3"; list(...) makes a list of them."""
        for row in range(8):
            for column in range(8):
                if self._can_flip((row, column), color):
                    yield self.num_board((row, column))

    def _move(self, action, color):
        """Plays a move. Returns the squares that were turned over, for `backpropagation`; if the move
        is not legal, plays nothing and returns False."""
        flipped_pos = self._can_flip(action, color)
        if not flipped_pos:
            return False
        for square in [action] + flipped_pos:
            self._set(square, color)
        return flipped_pos

    def backpropagation(self, action, flipped_pos, color):
        """Undoes a move of `color` that turned over `flipped_pos`."""
        self._set(action, self.empty)
        for square in flipped_pos:
            self._set(square, "O" if color == "X" else "X")

    # The name in later editions of the course's board.
    _unmove = backpropagation

    def is_on_board(self, x, y):
        """Returns whether row x and column y are on the board."""
        return 0 <= x < 8 and 0 <= y < 8

    def board_num(self, action):
        """Returns (2, 3) for "D3"; None if `action` is not a square."""
        if len(action) != 2:
            return None
        x, y = "12345678".find(action[1]), "ABCDEFGH".find(action[0].upper())
        return (x, y) if x >= 0 and y >= 0 else None

    def num_board(self, action):
        """Returns "D3" for (2, 3); None if `action` is not a square."""
        x, y = action
        return "ABCDEFGH"[y] + str(x + 1) if self.is_on_board(x, y) else None

    def _can_flip(self, action, color):
        """Returns the squares that a move would turn over, as "D3"; False if there are none."""
        x, y = self.board_num(action) if isinstance(action, str) else action
        if self._board[x][y] != self.empty:
            return False
        other = "O" if color == "X" else "X"
        flipped_pos = []
        for down, right in self.DIRECTIONS:
            line, row, column = [], x + down, y + right
            while self.is_on_board(row, column) and self._board[row][column] == other:
                line.append(self.num_board((row, column)))
                row, column = row + down, column + right
            if self.is_on_board(row, column) and self._board[row][column] == color:
                flipped_pos += line
        return flipped_pos or False

    # The spelling in the course's board.
    _can_fliped = _can_flip

    def _set(self, square, what):
        x, y = self.board_num(square) if isinstance(square, str) else square
        self._board[x][y] = what


# The environment of a player, without windows and keyboard. Importing a player plays no game


class NoGame(BaseException):
    """Ends a statement in which the player asks a person or waits for a window."""


def no_game(*_, **__):
    raise NoGame


class Nothing:
    """Stands for everything in a window module: it can be called, drawn and inherited from, and does nothing."""

    def __init__(self, *_, **__):
        pass

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return no_game if name in WAITS else Nothing()

    def __call__(self, *_, **__):
        return Nothing()

    def __iter__(self):
        return iter(())

    def __getitem__(self, _):
        return Nothing()

    def __setitem__(self, *_):
        pass

    def __bool__(self):
        return False

    def __int__(self):
        return 0

    __index__ = __int__

    def __float__(self):
        return 0.0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return False

    def _number(self, *_):
        return 0

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __floordiv__ = _number
    __or__ = __ror__ = __and__ = __neg__ = _number


# Calls that wait for a person.
WAITS = {"mainloop", "getMouse", "getKey", "wait_window", "exec_", "exitonclick", "get_pressed", "ginput"}
# Programs import these modules to draw, or to run on Windows. They are always replaced.
WINDOWS = (
    "tkinter Tkinter tkMessageBox _tkinter turtle graphics pygame pyglet arcade wx easygui PyQt4 PyQt5 PyQt6 "
    "PySide2 PySide6 playsound winsound msvcrt"
).split()
# These modules are replaced only if they are missing; no move depends on them.
OPTIONAL = "matplotlib IPython tqdm func_timeout cv2 PIL seaborn".split()
# The names that `from tkinter import *` and similar imports define.
NAMES = {
    "tkinter": "Tk Canvas Frame Label Button Toplevel StringVar IntVar Entry Menu PhotoImage Text Scrollbar "
    "Radiobutton Checkbutton OptionMenu messagebox ttk simpledialog filedialog mainloop END NW N S E W LEFT RIGHT "
    "TOP BOTTOM BOTH X Y ALL DISABLED NORMAL CENTER YES NO TclError",
    "graphics": "GraphWin Point Circle Line Text Rectangle Oval Polygon Image Entry Pixmap GraphicsObject "
    "GraphicsError color_rgb update",
    "pygame": "init quit display event draw font time mouse image Rect Surface Color mixer locals",
    "pygame.locals": "QUIT KEYDOWN KEYUP MOUSEBUTTONDOWN MOUSEBUTTONUP MOUSEMOTION K_ESCAPE K_SPACE K_RETURN "
    "K_UP K_DOWN K_LEFT K_RIGHT",
}


class Stubs(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Puts empty modules in the place of modules that draw."""

    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        missing = top in OPTIONAL and not any(
            finder.find_spec(name, path) for finder in sys.meta_path if finder is not self
        )
        if top in WINDOWS or missing or name in WIN32:
            return importlib.util.spec_from_loader(name, self, is_package=True)
        return None

    def create_module(self, spec):
        if spec.name in WIN32:
            return WIN32[spec.name]()
        module = types.ModuleType(spec.name)
        module.__path__ = []
        module.__all__ = NAMES.get(spec.name, "").split()
        if spec.name == "func_timeout":
            module.func_timeout = lambda _, call, args=(), kwargs=None: call(*args, **(kwargs or {}))
            module.FunctionTimedOut = type("FunctionTimedOut", (BaseException,), {})

        def attribute(name):
            if name.startswith("__"):
                raise AttributeError(name)
            if name in WAITS:
                return no_game
            # A class, because files inherit from Frame and Canvas.
            return type(name, (Nothing,), {}) if name[:1].isupper() else Nothing()

        module.__getattr__ = attribute
        return module

    def exec_module(self, module):
        pass


# The part of pywin32 that pisqpipe.py needs


class Event:
    """An event of Windows: set, reset, wait. Without `manual`, a successful wait resets the event."""

    def __init__(self, manual, is_set):
        self.manual, self.flag = manual, threading.Event()
        if is_set:
            self.flag.set()


def win32(**names):
    def module():
        made = types.ModuleType("win32")
        made.__dict__.update(names)
        return made

    return module


def wait_for(event, milliseconds):
    came = event.flag.wait(None if milliseconds in (-1, 0xFFFFFFFF) else milliseconds / 1000)
    if came and not event.manual:
        event.flag.clear()
    return 0 if came else 258


def begin_thread(_, __, target, arguments, ___):
    thread = threading.Thread(target=target, args=arguments, daemon=True)
    thread.start()
    return thread, thread.ident


class NotAConsole(Exception):
    pass


class Console:
    def GetConsoleMode(self):
        raise NotAConsole


WIN32 = {
    "win32api": win32(GetTickCount=lambda: int(time.monotonic() * 1000)),
    "win32event": win32(
        INFINITE=-1,
        CreateEvent=lambda _, manual, is_set, __: Event(manual, is_set),
        SetEvent=lambda event: event.flag.set(),
        ResetEvent=lambda event: event.flag.clear(),
        WaitForSingleObject=wait_for,
    ),
    "win32console": win32(STD_INPUT_HANDLE=-10, GetStdHandle=lambda _: Console()),
    "win32process": win32(beginthreadex=begin_thread),
    "pywintypes": win32(error=NotAConsole),
    "win32gui": win32(),
    "win32con": win32(),
}


class Pisqpipe(types.ModuleType):
    """Replaces a missing pisqpipe.py. The brain sets its functions here, and main() speaks Gomocup's protocol
    with them."""

    width = height = start_time = None
    terminateAI = 0
    infotext = dataFolder = ""
    info_timeout_turn, info_timeout_match, info_time_left = 30000, 1000000000, 1000000000
    info_max_memory = info_exact5 = info_renju = info_continuous = 0
    info_game_type = 1
    ABOUT_FUNC, DEBUG, DEBUG_EVAL = True, False, False
    __all__ = ["DEBUG", "DEBUG_EVAL"]

    def pipeOut(self, what):
        print(what, flush=True)

    def do_mymove(self, x, y):
        self.brain_my(x, y)
        self.pipeOut(f"{x},{y}")

    def think(self):
        self.start_time = int(time.monotonic() * 1000)
        self.brain_turn()

    def main(self):
        for line in iter(sys.stdin.readline, ""):
            command, _, rest = line.strip().partition(" ")
            self.obey(command.upper(), [int(word) if word.lstrip("-").isdigit() else word for word in re.split("[ ,]+", rest)])

    def obey(self, command, words):
        if command == "INFO":
            key, value = words[0].lower(), words[-1]
            if key == "rule":
                self.info_exact5, self.info_continuous, self.info_renju = value & 1, value >> 1 & 1, value >> 2 & 1
            else:
                setattr(self, "dataFolder" if key == "folder" else "info_" + key, value)
        elif command == "START":
            self.width = self.height = words[0]
            self.brain_init()
        elif command == "RESTART":
            self.brain_restart()
        elif command == "BEGIN":
            self.think()
        elif command == "TURN":
            self.brain_opponents(*words)
            self.think()
        elif command == "BOARD":
            for line in iter(sys.stdin.readline, ""):
                if line.strip().upper() == "DONE":
                    break
                x, y, who = map(int, line.split(","))
                (self.brain_my if who == 1 else self.brain_opponents)(x, y)
            self.think()
        elif command == "ABOUT":
            self.pipeOut(self.infotext)
        elif command == "END":
            if hasattr(self, "brain_end"):
                self.brain_end()
            sys.exit(0)
        elif command:
            self.pipeOut(f"UNKNOWN {command}")


def old_names():
    """Defines names that Python and numpy had when many of these files were written."""
    if not hasattr(time, "clock"):
        time.clock = time.perf_counter  # most files were written for Windows, where clock() counted wall time
    try:
        import numpy
    except ImportError:
        return
    for name, value in [("int", int), ("float", float), ("bool", bool), ("object", object), ("Inf", float("inf"))]:
        if name not in vars(numpy) and name not in ("bool", "object"):
            setattr(numpy, name, value)


# Importing a file without its game

# A call of such a function at the top level of a file plays a game or opens a window.
PLAYS = re.compile(r"^_*(main|run|play|start|game|gui|loop|test|mainloop|show|demo|begin)", re.IGNORECASE)


def called(statement):
    """Returns the name of the function that a statement calls: `run` in `x = Game().run()`."""
    value = getattr(statement, "value", None)
    function = value.func if isinstance(value, ast.Call) else None
    return getattr(function, "attr", getattr(function, "id", ""))


def is_main(statement):
    return isinstance(statement, ast.If) and "__name__" in ast.dump(statement.test)


def plays(statement):
    """Guesses whether a statement at the top level of a file plays a game."""
    simple = isinstance(statement, (ast.Expr, ast.Assign))
    # `Game(black, white)` only makes an object; `Game(...).run()` plays.
    return isinstance(statement, ast.While) or (simple and bool(PLAYS.match(called(statement))) and not (
        isinstance(statement, ast.Assign) and called(statement)[:1].isupper()
    ))


def load(path):
    """Imports a file: its definitions and globals, without the game that it plays."""
    with open(path, "rb") as file:
        text = file.read()
    try:
        tree = ast.parse(text, path)
    except SyntaxError as error:
        if "parentheses in call to" in str(error) or re.search(rb"^\s*except \w+, \w+:", text, re.MULTILINE):
            sys.exit(f"course_bot.py: {path} is written in Python 2, which is not installed: `2to3 -w FILE` converts it")
        raise
    module = types.ModuleType("player")
    folder, name = os.path.split(os.path.abspath(path))
    begin = os.path.join(folder, "__init__.py")
    if os.path.exists(begin):
        # The file may import its neighbours as modules of a package. The folder around it may be closed.
        package = os.path.basename(folder)
        module.__name__, module.__package__ = f"{package}.{os.path.splitext(name)[0]}", package
        spec = importlib.util.spec_from_file_location(package, begin, submodule_search_locations=[folder])
        sys.modules[package] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[package])
    module.__file__ = path
    sys.modules[module.__name__] = module
    left_out = False
    for statement in tree.body:
        for part in statement.body if is_main(statement) else [statement]:
            if plays(part):
                left_out = True
                continue
            code = compile(ast.Module([part], []), path, "exec")
            try:
                exec(code, module.__dict__)
            except (NoGame, SystemExit):
                left_out = True
            except Exception:
                # Ignores the error: a statement after the game may need the results of the game.
                if not (left_out or is_main(statement)):
                    raise
    if left_out:
        print(f"{os.path.basename(path)}: the game that it plays when it is started does not run here")
    return module


# The forms of players. Each object is for one game; `move(message)` returns a move as the arena reads it


def square(row, column):
    """A square as the arena reads it: `d3` for row 2, column 3."""
    row, column = int(row), int(column)
    return chr(ord("a") + column) + str(row + 1) if 0 <= column < 26 else f"({row}, {column})"


def either(row_and_column):
    """A square as the arena reads it, from (row, column), from an index 0 to 63, or from text such as "D3"."""
    if isinstance(row_and_column, str):
        return row_and_column.strip().lower()
    try:
        if hasattr(row_and_column, "__len__"):
            return square(*row_and_column[:2])
        return square(*divmod(int(row_and_column), 8))
    except (TypeError, ValueError):
        return repr(row_and_column)


class Form:
    def __init__(self, module, game):
        self.module, self.game = module, game
        self.own, self.other = ("X", "O") if game["you"] == "black" else ("O", "X")

    def name(self):
        return type(self).__name__

    def each(self, message, own, other, empty):
        """Returns the board as lists, with these values for own discs, the other side's discs and empty squares."""
        values = {self.own: own, self.other: other, ".": empty}
        return [[values[cell] for cell in row] for row in message["board"]]


class AiPlayer(Form):
    def __init__(self, module, game):
        super().__init__(module, game)
        self.player = find_class(module, ("AIPlayer",), ("get_move", "think"))(self.own)
        self.changed = None

    def name(self):
        return type(self.player).__name__

    def move(self, message):
        board = Board(message["board"])
        think = getattr(self.player, "get_move", None) or self.player.think
        move = think(board)
        now = ["".join(str(cell) for cell in row) for row in board]
        if self.changed is None and now != message["board"]:
            self.changed = "the player changed the board, which loses: search on a copy.deepcopy(board)"
        if self.changed:
            print(self.changed)
            return self.changed
        return str(move).strip().lower()


class AiGo(Form):
    def __init__(self, module, game):
        super().__init__(module, game)
        self.black_first = -1 if game["you"] == "black" else 1
        seconds = (game.get("move_ms") or game.get("game_ms") or 5000) / 1000
        self.player = find_class(module, ("AI",), ("go",))(game["size"], self.black_first, seconds)

    def move(self, message):
        board = self.each(message, self.black_first, -self.black_first, 0)
        try:
            import numpy

            board = numpy.array(board)
        except ImportError:
            pass  # a player that needs numpy has already failed at its import
        result = self.player.go(board)
        # As on the course's platform, the move is in the player's list. Without a list, it is the returned value.
        moves = getattr(self.player, "candidate_list", None)
        if moves is None or len(moves) == 0:
            moves = [result] if result is not None else []
        return either(moves[-1]) if len(moves) else "no move in candidate_list"


class Lists(Form):
    def __init__(self, module, game):
        super().__init__(module, game)
        size = game["size"]
        for name in "COLUMN", "ROW":  # the player counts lines from 0 to COLUMN
            if hasattr(module, name):
                setattr(module, name, size - 1)
        if hasattr(module, "list_all"):
            module.list_all[:] = [(x, y) for x in range(size) for y in range(size)]
        names = ["ai", "AI", "ai_step", "ai_move", "AI_move"]
        functions = [vars(module).get(name) for name in names]
        self.think = next(function for function in functions if callable(function))

    def move(self, message):
        squares = {self.own: [], self.other: []}
        size = len(message["board"])
        for row in range(size):
            for column in range(size):
                squares.get(message["board"][row][column], []).append((column, row))
        lists = squares[self.own], squares[self.other], squares[self.own] + squares[self.other]
        if not lists[2]:  # on the course's platform the opponent begins, so the player never sees an empty board
            return square(size // 2, size // 2)
        for name, now in zip(("list1", "list2", "list3"), lists):
            getattr(self.module, name)[:] = now
        column, row = self.think()[:2]
        return square(row, column)


class BestStrategy(Form):
    """The player is stopped when its time is up. Then its last `best_move.value` counts."""

    def __init__(self, module, game):
        super().__init__(module, game)
        self.player = find_class(module, ("Strategy",), ("best_strategy",))()
        text = text_of(own_modules(module))
        self.bordered = getattr(self.player, "uses_10x10_board", "@" in text or "OUTER" in text)
        self.bordered_moves = getattr(self.player, "uses_10x10_moves", self.bordered)
        self.parameters = inspect.signature(self.player.best_strategy).parameters

    def move(self, message):
        asked = time.monotonic()
        import multiprocessing

        limit = (message.get("left_ms") or 5000) / 1000
        limit -= min(0.25 * limit, 0.5)
        text = "".join(message["board"])
        if self.bordered:
            rows = ["?" * 10] + ["?" + row + "?" for row in message["board"]] + ["?" * 10]
            text = "".join(rows).replace("X", "@").replace("O", "o")
            player = "@" if self.own == "X" else "o"
        else:
            text, player = text.lower(), self.own.lower()
        context = multiprocessing.get_context("fork")
        best, running = context.Value("i", -1, lock=False), context.Value("i", 1, lock=False)
        further = {"time_limit": limit, "othello_resource": self.resource()}
        extra = [further[name] for name in list(self.parameters)[4:] if name in further]
        # Players whose board has a border get it as a list, other players get text. Both can be indexed.
        board = list(text) if self.bordered else text
        child = context.Process(target=self.think, args=(board, player, best, running, extra), daemon=True)
        child.start()
        # On a busy machine, the import and the start alone can take longer than what is left after the limit.
        child.join(max(0, asked + limit - time.monotonic()))
        running.value = 0
        if child.is_alive():
            child.kill()
        child.join()
        move = best.value
        if move < 0 and child.exitcode == 1:
            # The player's traceback is on standard error.
            sys.exit(1)
        if self.bordered_moves and move >= 0:
            return square(move // 10 - 1, move % 10 - 1)
        return either(move) if move >= 0 else "best_move.value was not set"

    def think(self, board, player, best, running, extra):
        try:
            self.player.best_strategy(board, player, best, running, *extra)
        except Exception:
            import traceback

            traceback.print_exc()
            sys.exit(1)

    def resource(self):
        """Moves and rules, for players with the parameter `othello_resource`."""

        def possible_moves(text, token):
            board = Board([text[row * 8 : row * 8 + 8].upper() for row in range(8)])
            moves = [board.board_num(move) for move in board.get_legal_actions(token.upper())]
            return [8 * row + column for row, column in moves]

        def make_move(text, token, index):
            board = Board([text[row * 8 : row * 8 + 8].upper() for row in range(8)])
            board._move(board.num_board(divmod(index, 8)), token.upper())
            return "".join("".join(row) for row in board).lower()

        return types.SimpleNamespace(possible_moves=possible_moves, make_move=make_move)


class ReversiAi(Form):
    def move(self, message):
        own = 0 if self.own == "X" else 1
        board = [cell for row in self.each(message, own, 1 - own, 2) for cell in row]
        legal = set(message["legal"])
        allow = [square(*divmod(index, 8)) in legal for index in range(64)]
        return either(self.module.reversi_ai(own, board, allow))


class State:
    """The state of BYU's server: `board[row, column]` is 0, 1 or 2, and `turn` is the side to move."""

    board_dim = 8

    def __init__(self, board, turn):
        self.board, self.turn = board, turn

    def space_is_on_board(self, row, col):
        return 0 <= row < 8 and 0 <= col < 8

    def space_is_unoccupied(self, row, col):
        return self.board[row, col] == 0

    def space_is_available(self, row, col):
        return self.space_is_on_board(row, col) and self.space_is_unoccupied(row, col)

    def capture_will_occur(self, row, col, xdir, ydir, could_capture=0):
        while self.space_is_on_board(row, col) and not self.space_is_unoccupied(row, col):
            if self.board[row, col] == self.turn:
                return could_capture != 0
            row, col, could_capture = row + ydir, col + xdir, could_capture + 1
        return False

    def is_valid_move(self, row, col):
        return self.space_is_available(row, col) and any(
            self.capture_will_occur(row + down, col + right, right, down) for down, right in Board.DIRECTIONS
        )

    def get_valid_moves(self):
        return [(row, col) for row in range(8) for col in range(8) if self.is_valid_move(row, col)]


class ReversiBot(Form):
    def __init__(self, module, game):
        super().__init__(module, game)
        self.own_number = 1 if self.own == "X" else 2
        self.player = find_class(module, ("ReversiBot",), ("make_move",))(self.own_number)
        # Uses the course's own class if one of the files has it, since bots may need more of its methods.
        states = [vars(own).get("ReversiGameState") for own in own_modules(module)]
        self.state = next(filter(None, states), State)

    def move(self, message):
        import numpy

        board = numpy.array(self.each(message, self.own_number, 3 - self.own_number, 0))
        return either(self.player.make_move(self.state(board, self.own_number)))


class Observation(dict):
    """The arguments of an agent for Kaggle: a dict whose keys are also attributes."""

    __getattr__ = dict.get


class Kaggle(Form):
    """Calls the last function of the file, as Kaggle does. Actions are 8 * row + column; 64 is a pass."""

    def __init__(self, module, game):
        super().__init__(module, game)
        self.agent = [value for value in vars(module).values() if callable(value)][-1]
        self.parameters = len(inspect.signature(self.agent).parameters)
        self.number = 0 if self.own == "X" else 1

    def move(self, message):
        moves, legal = message["moves"], sorted(message["legal"], key=self.action)
        board = [[{"X": "x", "O": "o", ".": ""}[cell] for cell in row] for row in message["board"]]
        state = {
            "board": board, "rows": 8, "columns": 8, "current_player": "xo"[self.number], "is_terminal": False, "winner": None,
            "disks": {disk: sum(row.count(disk) for row in board) for disk in "xo"}, "must_pass": False,
            "last_move": moves[-1] if moves else None, "move_history": moves, "move_number": len(moves),
        }
        played = "".join(f"{self.action(move)}\n" for move in moves)
        observation = Observation(
            observationString=json.dumps(state), legalActions=[self.action(move) for move in legal], legalActionStrings=legal,
            playerId=self.number, currentPlayer=self.number, isTerminal=False, step=len(moves) + 1,
            remainingOverageTime=60, openSpielGameName="othello", openSpielGameString="othello()",
            serializedGameAndState=f"[Meta]\nVersion: 1\n\n[Game]\nothello()\n[State]\n{played}",
        )
        seconds = (message.get("left_ms") or 3600000) / 1000
        configuration = Observation(actTimeout=seconds, runTimeout=seconds, includeLegalActions=True, openSpielGameName="othello")
        action = self.agent(*[observation, configuration][: self.parameters])
        return either(action["submission"] if isinstance(action, dict) else action)

    @staticmethod
    def action(move):
        return 64 if move == "pass" else 8 * int(move[1:]) + ord(move[0]) - ord("a") - 8


# The names of the function that chooses a move, in lower case and without underscores.
FUNCTIONS = (
    "getmove getbestmove bestmove choosemove findbestmove nextmove aimove getcomputermove getaction searchmax"
).split()
# Functions that make the start position.
NEW_BOARD = re.compile(r"^(get|make|create|new|init|reset|start)\w*board$", re.IGNORECASE)


def own_modules(module):
    """A file, and the modules in its folder that it has imported."""
    folder = os.path.dirname(os.path.abspath(module.__file__)) + os.sep
    there = [other for other in list(sys.modules.values()) if (getattr(other, "__file__", None) or "").startswith(folder)]
    return [module] + [other for other in there if other.__file__ not in (module.__file__, __file__)]


def text_of(modules):
    text = ""
    for path in dict.fromkeys(other.__file__ for other in modules):
        with open(path, encoding="utf-8", errors="replace") as file:
            text += file.read() + "\n"
    return text


def start_positions(modules):
    """The boards that a file's own functions make: first functions without arguments, then those that fill a board."""
    makers = {
        function
        for module in modules
        for name, function in vars(module).items()
        if NEW_BOARD.match(name) and inspect.isfunction(function)
    }
    made = []
    for fills in False, True:
        for function in makers:
            board = made[-1] if fills and made else None
            try:
                rows = function(board) if fills else function()
            except (Exception, NoGame, SystemExit):
                continue
            rows = board if rows is None else rows
            if hasattr(rows, "__len__") and len(rows) == 8 and all(hasattr(row, "__len__") and len(row) == 8 for row in rows):
                made.append(rows)
    return made


def named_values(modules):
    """The values of black, white and empty, if a module, or a class or enumeration in it, has names for them."""
    own = {module.__name__ for module in modules}
    classes = [value for module in modules for value in vars(module).values() if isinstance(value, type) and value.__module__ in own]
    for space in modules + classes:
        names = getattr(space, "__members__", None) or vars(space)
        found = {}
        # Shorter names come first: BLACK before BLACK_WINS.
        for name, value in sorted(names.items(), key=lambda item: len(item[0])):
            words = {"black", "white", "empty"}.intersection(re.findall("[a-z]+", name.lower()))
            if isinstance(value, (int, str, enum.Enum)) and len(words) == 1:
                found.setdefault(words.pop(), value)
        if isinstance(found.get("black"), int):
            unused = [value for value in (0, -1, 2) if value not in found.values()]
            found.setdefault("empty", unused[0])
        if len(found) == 3 and len(set(found.values())) == 3:
            # Members of a plain enumeration are not numbers. A file that uses `.value` has numbers on its board.
            bare = any(re.search(r"\b(BLACK|WHITE|EMPTY)\.value\b", inspect.getsource(module)) for module in modules)
            values = [found[name] for name in ("black", "white", "empty")]
            return tuple(value.value if bare and isinstance(value, enum.Enum) else value for value in values)
    return None


def values_of(module):
    """The values of black, white and empty in a file and the modules of its folder. They are taken from the start
    position that the file makes, otherwise from its names, otherwise from its text."""
    modules = own_modules(module)
    for rows in start_positions(modules):
        black, white, empty = rows[3][4], rows[3][3], rows[0][0]
        if black == rows[4][3] and white == rows[4][4] and len({str(black), str(white), str(empty)}) == 3:
            # In some files, the colours of the start position are swapped. Swaps them back if white has a value that
            # usually means black.
            return (white, black, empty) if str(white) in ("X", "B", "1", "@", "x", "b") else (black, white, empty)
    named = named_values(modules)
    if named:
        return named
    text = text_of(modules)
    if re.search(r"""==?\s*["'][XB@b]["']|["'][XB@b]["']\s*:""", text):
        black, white = re.search(r"""["']([XB@b])["']""", text).group(1), "O"
        white = {"B": "W", "@": "o", "b": "w"}.get(black, white)
        compared = re.search(r"""[!=]=\s*["']([.\-_ *])["']""", text)
        literal = next((cell for cell in ".-_ " if re.search(f"""["']{re.escape(cell)}["']""", text)), ".")
        return black, white, compared.group(1) if compared else literal
    return 1, (2 if not re.search(r"-\s*1\b|-\s*(color|player|turn)", text) else -1), 0


class Function(Form):
    """Calls `f(board, player)`, with a board in the file's own values."""

    def __init__(self, module, game):
        super().__init__(module, game)
        named = {name.replace("_", "").lower(): value for name, value in vars(module).items() if inspect.isfunction(value)}
        self.think = next((named[name] for name in FUNCTIONS if name in named), None)
        if self.think is None:
            sys.exit(f"course_bot.py: none of the functions {', '.join(FUNCTIONS)} is in {module.__file__}")
        self.parameters = [
            name
            for name, parameter in inspect.signature(self.think).parameters.items()
            if parameter.default is parameter.empty and parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
        ]
        with open(module.__file__, encoding="utf-8", errors="replace") as file:
            text = file.read()
        # In CodeClash, the side is a word, and the board has 1 and 2.
        names = "|".join(self.parameters[1:]) or "color"
        words = rf"""\b({names})\b[\w.()]*\s*[!=]=\s*["'](black|white)["']|["']black["']\s*:\s*1\b"""
        self.word = game["you"] if re.search(words, text) else None
        black, white, empty = (1, 2, 0) if self.word else values_of(module)
        # A function with only a board always plays black. As white, it gets the board with the colours swapped.
        is_black = self.own == "X" or len(self.parameters) == 1
        self.own_value, self.other_value = (black, white) if is_black else (white, black)
        self.empty = empty

    def move(self, message):
        board = self.each(message, self.own_value, self.other_value, self.empty)
        if "numpy" in sys.modules and isinstance(self.empty, int):
            board = sys.modules["numpy"].array(board)
        arguments = []
        for name in self.parameters:
            lower = name.lower()
            if "board" in lower or "state" in lower or "grid" in lower:
                arguments.append(board)
            elif "time" in lower:
                arguments.append((message.get("left_ms") or 5000) / 1000)
            elif "legal" in lower or "valid" in lower or "moves" in lower:
                squares = [(int(move[1:]) - 1, ord(move[0]) - ord("a")) for move in message["legal"]]
                arguments.append(squares)
            else:
                arguments.append(self.word or self.own_value)
        return either(self.think(*arguments))


def find_class(module, names, methods):
    """The class with one of these names, or the only class in the file that has one of these methods."""
    own = {
        name: value
        for name, value in vars(module).items()
        if isinstance(value, type) and any(hasattr(value, method) for method in methods)
    }
    found = [own[name] for name in ((CLASS,) if CLASS else names) if name in own]
    if not (found or CLASS):
        # Skips classes for a person or a random player, which a file may also contain.
        others = [name for name in own if not re.search("human|random", name, re.IGNORECASE)]
        found = [own[name] for name in others] if len(others) == 1 else list(own.values()) if len(own) == 1 else []
    if not found:
        wanted = " or ".join(f"{method}()" for method in methods)
        sys.exit(f"course_bot.py: {module.__file__} has no class {CLASS or names[0]} with {wanted}")
    return found[0]


# The class that the user named, in `FILE:CLASS`.
CLASS = ""


FORMS = {
    "ai-player": AiPlayer,
    "ai-go": AiGo,
    "lists": Lists,
    "best-strategy": BestStrategy,
    "reversi-ai": ReversiAi,
    "reversi-bot": ReversiBot,
    "function": Function,
    "kaggle": Kaggle,
}


def recognised(module):
    """The form of a file, recognised by its definitions."""
    has = vars(module)

    def class_with(*methods):
        return any(isinstance(value, type) and any(method in vars(value) for method in methods) for value in has.values())

    if class_with("make_move") and "ReversiBot" in has:
        return "reversi-bot"
    if class_with("best_strategy"):
        return "best-strategy"
    if class_with("go"):
        return "ai-go"
    if class_with("get_move", "think"):
        return "ai-player"
    if "list1" in has and "list2" in has:
        return "lists"
    return "reversi-ai" if "reversi_ai" in has else "function"


def brain(path):
    """Runs a brain of pisqpipe.py, which speaks Gomocup's protocol itself."""
    import runpy
    import threading

    report = threading.excepthook

    # The brain thinks in a thread. If the thread dies, the process must end; otherwise the process would wait forever.
    def end(died):
        report(died)
        sys.stderr.flush()
        os._exit(1)

    threading.excepthook = end
    if not os.path.exists(os.path.join(os.path.dirname(os.path.abspath(path)), "pisqpipe.py")):
        sys.modules["pisqpipe"] = Pisqpipe("pisqpipe")
    sys.argv = [path]
    runpy.run_path(path, run_name="__main__")
    module = sys.modules.get("pisqpipe")
    # Some files only define the functions that pisqpipe.py needs, and do not call main().
    if module is not None and getattr(module, "event1", True) is None:
        module.main()


def arguments():
    """The program or file, and the form if the command names it."""
    words = sys.argv[1:]
    form = None
    if "--form" in words:
        at = words.index("--form")
        form = words[at + 1]
        del words[at : at + 2]
    return words or ["my_player.py"], form


def main():
    global CLASS
    words, form = arguments()
    arena = sys.stdout
    # A file's name may contain colons, too: macOS writes a slash in a name as a colon.
    path, CLASS = re.fullmatch(r"(.*?)(?::([^\W\d]\w*))?", words[0], re.S).groups("")
    if not os.path.isfile(path):
        sys.exit(f"course_bot.py: there is no Python file {path}")
    folder = os.path.dirname(os.path.abspath(path))
    # The file can import modules of its own folder. If the folder has no board.py, the file gets this file's `Board`.
    sys.path.insert(0, folder)
    sys.meta_path.insert(0, Stubs())
    old_names()
    if form == "pisqpipe":
        return brain(path)
    # The player's output must not be read as messages, and no person answers input().
    sys.stdout = sys.stderr
    if not os.path.exists(os.path.join(folder, "board.py")):
        sys.modules["board"] = sys.modules[__name__]
    import builtins

    messages, sys.stdin = sys.stdin, open(os.devnull)
    builtins.input = no_game
    module = load(path)
    sys.stdin = messages
    make = lambda game: FORMS[form or recognised(module)](module, game)

    def say(**message):
        print(json.dumps(message), file=arena, flush=True)

    player = None
    # The player must not read the arena's messages.
    messages, sys.stdin = sys.stdin, open(os.devnull)
    for line in messages:  # ends when the arena closes the pipe
        message = json.loads(line)
        kind = message["type"]
        if kind == "hello":  # a new player for each game
            random.seed(message["seed"])  # so that a game can be repeated
            player = make(message)
            say(type="ready", name=player.name(), version="1.0")
        elif kind == "turn":
            # The referee judges invalid moves.
            try:
                move = player.move(message)
            except NoGame:
                sys.exit("course_bot.py: the player asks a person for its move, with input() or in a window")
            say(type="move", id=message["id"], move=move)
        elif kind == "quit":
            break
    # Stops the threads of the player.
    sys.stderr.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
