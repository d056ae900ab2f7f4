"""A board with a slider, as one piece of HTML that needs no network."""

from __future__ import annotations

import html
import json
from typing import Any

CELL = 36


class Replay:
    """A game. A notebook shows it; `str()` is its HTML."""

    def __init__(
        self, row: dict[str, Any], plies: list[dict[str, Any]], game: str, size: int
    ) -> None:
        self.row, self.plies, self.size = row, plies, size
        self.is_othello = game == "othello"

    def positions(self) -> list[list[str]]:
        """The board after each half-move, beginning with the start position: rows of X, O and dots."""
        board = [["."] * self.size for _ in range(self.size)]
        if self.is_othello:
            middle = self.size // 2
            for row, column, disc in ((-1, -1, "O"), (-1, 0, "X"), (0, -1, "X"), (0, 0, "O")):
                board[middle + row][middle + column] = disc
        shown = [["".join(row) for row in board]]
        for ply in self.plies:
            if ply["move"] != "pass":
                disc = "X" if ply["side"] == "black" else "O"
                row, column = int(ply["move"][1:]) - 1, ord(ply["move"][0]) - ord("a")
                if self.is_othello:
                    for r, c in flipped(board, row, column, disc):
                        board[r][c] = disc
                board[row][column] = disc
            shown.append(["".join(row) for row in board])
        return shown

    def _repr_html_(self) -> str:
        # Uses a separate frame, so that this page and the notebook cannot change each other.
        page = html.escape(str(self))
        side = (self.size + 1) * CELL
        return (
            f'<iframe sandbox="allow-scripts" style="border:0;width:100%;height:{side + 90}px" '
            f'srcdoc="{page}"></iframe>'
        )

    def __str__(self) -> str:
        names = f'{self.row["black"]} (black) – {self.row["white"]} (white)'
        title = f'game {self.row["game"]}: {names}, {self.row["result"]} by {self.row["reason"]}'
        data = {"positions": self.positions(), "moves": [ply["move"] for ply in self.plies]}
        # Only a "<" in the data could end the script element early.
        text = json.dumps(data).replace("<", "\\u003c")
        return PAGE.replace("TITLE", html.escape(title)).replace("DATA", text)


DIRECTIONS = [(r, c) for r in (-1, 0, 1) for c in (-1, 0, 1) if (r, c) != (0, 0)]


def flipped(board: list[list[str]], row: int, column: int, disc: str) -> list[tuple[int, int]]:
    """The discs that a move in Othello turns over."""
    size, found = len(board), []
    for down, right in DIRECTIONS:
        line, r, c = [], row + down, column + right
        while 0 <= r < size and 0 <= c < size and board[r][c] not in (".", disc):
            line.append((r, c))
            r, c = r + down, c + right
        if 0 <= r < size and 0 <= c < size and board[r][c] == disc:
            found += line
    return found


PAGE = """<!doctype html><meta charset="utf-8"><title>TITLE</title>
<style>
  body { font: 15px system-ui, sans-serif; margin: 4px; color-scheme: light dark }
  input { width: 100% } svg { max-width: 100%; height: auto }
</style>
<p id="title">TITLE</p>
<svg id="board" role="img"></svg>
<p><input id="ply" type="range" min="0" value="0" aria-label="half-move">
<span id="at" aria-live="polite"></span></p>
<script type="application/json" id="data">DATA</script>
<script>
const { positions, moves } = JSON.parse(document.getElementById('data').textContent);
const svg = document.getElementById('board'), slider = document.getElementById('ply');
const size = positions[0].length, cell = 36, side = (size + 1) * cell;
const add = (name, attributes, text) => {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  svg.append(element);
};
const show = () => {
  const ply = Number(slider.value), last = ply ? moves[ply - 1] : '';
  svg.replaceChildren();
  for (let i = 0; i < size; i++) {
    const middle = cell * (i + 1.5);
    const style = { 'text-anchor': 'middle', fill: 'currentColor', 'font-size': 13 };
    add('text', { ...style, x: middle, y: cell * 0.7 }, String.fromCharCode(97 + i));
    add('text', { ...style, x: cell / 2, y: middle + 5 }, i + 1);
    for (let j = 0; j < size; j++) {
      const place = { x: cell * (j + 1), y: cell * (i + 1), width: cell, height: cell };
      add('rect', { ...place, fill: '#2f8f5b', stroke: '#1d5a39' });
      const disc = positions[ply][i][j];
      if (disc === '.') continue;
      const centre = { cx: cell * (j + 1.5), cy: middle };
      add('circle', { ...centre, r: cell * 0.42, fill: disc === 'X' ? '#111' : '#fafafa' });
      if (last === String.fromCharCode(97 + j) + (i + 1))
        add('circle', { ...centre, r: cell * 0.12, fill: '#e6a817' });
    }
  }
  document.getElementById('at').textContent = ply ? `${ply}. ${last}` : 'start';
};
svg.setAttribute('viewBox', `0 0 ${side} ${side}`);
svg.setAttribute('width', side);
slider.max = moves.length;
slider.addEventListener('input', show);
show();
</script>
"""
