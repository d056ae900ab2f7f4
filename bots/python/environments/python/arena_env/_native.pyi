class State:
    """A position of a game, its legal moves and its end.

        state = State("gomoku", rules="renju", size=15)
        while not state.over:
            state.play(random.choice(state.legal()))
        print(state, state.winner)

    An action is the index of a square, row by row from a1: row * size + column. In Othello, size * size
    is the pass, which is played where it is the only legal action.
    """

    def __init__(
        self,
        game: str,
        rules: str | None = None,
        size: int | None = None,
        *,
        rows: list[str] | None = None,
        to_move: str = "black",
    ) -> None:
        """The start position, or that of `rows` (X black, O white, . empty) with `to_move` to move.

        Rules of Gomoku: "freestyle", "standard", "renju", "caro". ValueError if there is no such game.
        """

    size: int
    """Rows and columns of the board. All attributes are for reading."""
    actions: int
    """The number of all actions, legal or not."""
    to_move: str
    """"black" or "white"."""
    over: bool
    winner: str | None
    """"black" or "white"; None for a draw, and before the end."""
    reason: str | None
    """Such as "discs", "five" or "double-three"; None before the end."""
    counts: tuple[int, int]
    """Discs or stones of black and of white."""
    rows: list[str]
    """The board from the top: X black, O white, . empty."""

    def legal(self) -> list[int]:
        """The legal actions, without renju's forbidden points; empty at the end only."""

    def play(self, action: int) -> None:
        """Plays an action. ValueError, and an unchanged position, if it is not legal. A forbidden point of
        renju may be played, and loses."""

    def mask(self) -> bytearray:
        """A byte for each action: 1 if it is legal."""

    def planes(self, side: str | None = None) -> bytearray:
        """The observation of a side, by default the one to move: for each square three bytes, whether it
        has an own stone, whether it has an opponent's, and whether the side is black."""

    def name(self, action: int) -> str:
        """The action as people write it: "d3" or "pass"."""

    def action(self, name: str) -> int:
        """The action of a name."""

    def copy(self) -> State: ...

def games() -> list[str]:
    """The names of all games."""
