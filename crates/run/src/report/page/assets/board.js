// A board as SVG: a picture, and a grid for screen readers. It does not know the rules.

import { draw, enumerated, text, word } from "/assets/app.js";

const CELL = 40;
const EDGE = 26;
const LETTERS = "abcdefghijklmnopqrstuv";

/** Returns the name of a square, such as d3. */
export const nameOf = (at, size) => `${LETTERS[at % size]}${Math.floor(at / size) + 1}`;

/** Returns the square of a name; null for a pass. */
export function squareOf(name, size) {
  const found = /^([a-v])(\d+)$/.exec(name);
  return found ? (Number(found[2]) - 1) * size + LETTERS.indexOf(found[1]) : null;
}

/** Returns the stones of each position of a game. */
export function positions(view) {
  const all = [view.start];
  for (const { by, at, flips = [] } of view.frames.slice(1)) {
    const stones = [...all.at(-1)];
    for (const square of at === undefined ? [] : [at, ...flips]) stones[square] = "XO"[by];
    all.push(stones.join(""));
  }
  return all;
}

export class Board {
  /** `small` boards have no coordinates and no cells with a focus. `pick` is called with a chosen square. */
  constructor(container, { size, discs, small = false, pick = null }) {
    Object.assign(this, { size, discs, small, pick, turned: false, mirrored: false });
    this.edge = small ? 6 : EDGE;
    const side = size * CELL + 2 * this.edge;
    this.svg = draw("svg", {
      viewBox: `0 0 ${side} ${side}`,
      class: `board ${discs ? "discs" : "points"}${small ? " small" : ""}`,
      role: small ? "img" : "grid",
      "aria-label": text("board.label", { size }),
    });
    this.container = container;
    this.focused = Math.floor(size / 2) * size + Math.floor(size / 2);
    this.shown = { stones: ".".repeat(size * size) };
    this.build();
    container.replaceChildren(this.svg);
  }

  /** Turns the board by 180 degrees. */
  turn() {
    this.turned = !this.turned;
    this.build();
    this.show(this.shown);
  }

  mirror() {
    this.mirrored = !this.mirrored;
    this.build();
    this.show(this.shown);
  }

  place(at) {
    let [column, row] = [at % this.size, Math.floor(at / this.size)];
    if (this.mirrored) column = this.size - 1 - column;
    if (this.turned) [column, row] = [this.size - 1 - column, this.size - 1 - row];
    return [column, row];
  }

  centre(at) {
    return this.place(at).map((index) => this.edge + index * CELL + CELL / 2);
  }

  build() {
    const { size, edge } = this;
    const length = size * CELL;
    const lines = draw("g", { class: "lines", "aria-hidden": "true" });
    lines.append(draw("rect", { x: edge, y: edge, width: length, height: length, class: "wood" }));
    const [from, to] = this.discs ? [0, size] : [0.5, size - 0.5];
    for (let line = from; line <= to; line += 1) {
      const at = edge + line * CELL;
      const [low, high] = [edge + from * CELL, edge + to * CELL];
      lines.append(draw("line", { x1: low, x2: high, y1: at, y2: at }));
      lines.append(draw("line", { x1: at, x2: at, y1: low, y2: high }));
    }
    for (const [column, row] of this.dots()) {
      const [x, y] = this.discs
        ? [edge + column * CELL, edge + row * CELL]
        : [edge + (column + 0.5) * CELL, edge + (row + 0.5) * CELL];
      lines.append(draw("circle", { cx: x, cy: y, r: 4, class: "dot" }));
    }
    this.svg.replaceChildren(lines);
    if (!this.small) this.svg.append(this.names());
    this.under = draw("g", { "aria-hidden": "true" });
    this.over = draw("g", { class: "over", "aria-hidden": "true" });
    this.svg.append(this.under);
    this.cells = [];
    if (this.small) {
      this.stones = draw("g", {});
      this.svg.append(this.stones, this.over);
      return;
    }
    // Sorts the squares by their visible rows, because a screen reader reads the grid in this order.
    const seen = Array.from({ length: size * size }, (_, at) => at).sort((a, b) => {
      const [[x, y], [u, v]] = [this.place(a), this.place(b)];
      return y - v || x - u;
    });
    for (let row = 0; row < size; row += 1) {
      const group = draw("g", { role: "row" });
      for (const at of seen.slice(row * size, (row + 1) * size)) group.append(this.cell(at));
      this.svg.append(group);
    }
    this.svg.append(this.over);
  }

  dots() {
    const size = this.size;
    if (this.discs) return [[2, 2], [2, size - 2], [size - 2, 2], [size - 2, size - 2]];
    if (size < 9) return [];
    const far = size < 13 ? 2 : 3;
    const all = [[far, far], [far, size - 1 - far], [size - 1 - far, far], [size - 1 - far, size - 1 - far]];
    if (size % 2 === 1) all.push([(size - 1) / 2, (size - 1) / 2]);
    return all;
  }

  names() {
    const group = draw("g", { class: "names", "aria-hidden": "true" });
    for (let index = 0; index < this.size; index += 1) {
      const [x] = this.centre(index);
      const [, y] = this.centre(index * this.size);
      const far = this.edge + this.size * CELL + EDGE / 2;
      for (const at of [EDGE / 2, far]) {
        group.append(draw("text", { x, y: at }, LETTERS[index]), draw("text", { x: at, y }, String(index + 1)));
      }
    }
    return group;
  }

  cell(at) {
    const [x, y] = this.centre(at);
    const group = draw("g", { role: "gridcell", class: "cell", tabindex: at === this.focused ? 0 : -1, "data-at": at, "data-square": nameOf(at, this.size) });
    const target = draw("rect", { x: x - CELL / 2, y: y - CELL / 2, width: CELL, height: CELL, class: "target" });
    const inside = draw("g", {});
    group.append(target, inside);
    group.addEventListener("click", () => this.choose(at));
    group.addEventListener("keydown", (event) => this.key(event, at));
    group.addEventListener("focus", () => this.focus(at));
    group.addEventListener("pointerenter", (event) => event.pointerType !== "touch" && this.hover(at));
    group.addEventListener("pointerleave", () => this.hover(null));
    this.cells[at] = { group, inside, drawn: "" };
    return group;
  }

  choose(at) {
    this.focus(at);
    this.pick?.(at);
  }

  focus(at) {
    this.cells[this.focused]?.group.setAttribute("tabindex", -1);
    this.focused = at;
    this.cells[at].group.setAttribute("tabindex", 0);
    if (this.pick) this.hover(at);
  }

  key(event, at) {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      event.stopPropagation();
      this.choose(at);
      return;
    }
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!step || !this.pick) return;
    event.preventDefault();
    event.stopPropagation();
    const [x, y] = this.place(at).map((index, which) => Math.min(this.size - 1, Math.max(0, index + step[which])));
    const next = this.cells.findIndex((_, other) => this.place(other).join() === [x, y].join());
    this.cells[next].group.focus();
  }

  /** Moves the keyboard focus to the board. */
  take() {
    this.cells[this.focused].group.focus({ preventScroll: true });
  }

  /** Shows an enlarged copy of the 3×3 squares around a square on the other half of the board, to correct a tap. */
  enlarge(at) {
    this.container.querySelector(".enlarged")?.remove();
    if (at === null) return;
    const [column, row] = this.place(at).map((index) => Math.min(this.size - 3, Math.max(0, index - 1)));
    const copy = this.svg.cloneNode(true);
    copy.setAttribute("viewBox", [this.edge + column * CELL, this.edge + row * CELL, 3 * CELL, 3 * CELL].join(" "));
    copy.setAttribute("class", `${copy.getAttribute("class")} enlarged${this.place(at)[1] < this.size / 2 ? " low" : ""}`);
    copy.setAttribute("aria-hidden", "true");
    for (const element of [copy, ...copy.querySelectorAll("*")]) for (const name of ["role", "tabindex", "aria-label", "data-square"]) element.removeAttribute(name);
    copy.addEventListener("click", ({ target }) => target.closest("[data-at]") && this.choose(Number(target.closest("[data-at]").dataset.at)));
    this.container.append(copy);
  }

  /** Shows the effect of a stone before it is played. */
  hover(at) {
    for (const cell of this.cells) cell.group.classList.remove("hover", "would-flip");
    const legal = this.shown.legal;
    if (at === null || !this.shown.asked || !legal?.has(at)) return;
    this.cells[at].group.classList.add("hover");
    for (const flip of legal.get(at)) this.cells[flip].group.classList.add("would-flip");
  }

  /**
   * Shows a position: stones, last, flips, legal (a map of squares to flips), forbidden (a map to
   * reasons), line, numbers, ghosts, marks (a map to texts), better (a square), to (the side to move), asked (whether a
   * person may play), hint (whether to mark the legal squares; on a board of points, only if they are few).
   */
  show(shown) {
    this.shown = shown;
    if (!this.small) this.hover(null);
    this.over.replaceChildren();
    this.under.replaceChildren();
    if (shown.line?.length) {
      const [first, last] = [shown.line[0], shown.line.at(-1)].map((at) => this.centre(at));
      for (const kind of ["won edge", "won"]) this.over.append(draw("line", { x1: first[0], y1: first[1], x2: last[0], y2: last[1], class: kind }));
    }
    if (this.small) {
      this.stones.replaceChildren(...[...shown.stones].flatMap((stone, at) => (stone === "." ? [] : this.stone(at, stone, at === shown.last))));
      return;
    }
    if (shown.better !== null && shown.better !== undefined) {
      const [x, y] = this.centre(shown.better);
      const half = CELL * 0.4;
      for (const kind of ["better edge", "better"]) this.over.append(draw("path", { d: `M${x} ${y - half}L${x + half} ${y}L${x} ${y + half}L${x - half} ${y}Z`, class: kind }));
    }
    this.svg.classList.toggle("asked", Boolean(shown.asked));
    this.svg.dataset.to = shown.to;
    const ghosts = new Map((shown.ghosts ?? []).map((ghost) => [ghost.at, ghost]));
    const flips = new Set(shown.flips);
    this.cells.forEach((cell, at) => {
      const state = {
        stone: shown.stones[at],
        last: at === shown.last,
        flip: flips.has(at),
        legal: shown.stones[at] === "." && shown.legal?.has(at) ? shown.legal.get(at).length : null,
        dot: Boolean(shown.hint && (this.discs || shown.few)),
        forbidden: shown.forbidden?.get(at),
        number: shown.numbers?.[at],
        ghost: ghosts.get(at),
        mark: shown.marks?.get(at),
        better: at === shown.better,
        won: shown.line?.includes(at) ?? false,
        to: shown.to,
        asked: Boolean(shown.asked),
      };
      const key = JSON.stringify(state);
      if (key === cell.drawn) return;
      cell.drawn = key;
      cell.inside.replaceChildren(...this.content(at, state));
      cell.group.setAttribute("aria-label", this.label(at, state));
    });
  }

  stone(at, stone, last) {
    const [x, y] = this.centre(at);
    const side = stone === "X" ? "black" : "white";
    const drawn = [draw("circle", { cx: x, cy: y, r: CELL * 0.43, class: `stone ${side}` })];
    if (last) drawn.push(draw("circle", { cx: x, cy: y, r: CELL * 0.16, class: `last on-${side}` }));
    return drawn;
  }

  content(at, state) {
    const [x, y] = this.centre(at);
    const drawn = [];
    const side = state.stone === "X" ? "black" : "white";
    const mover = state.to === 0 ? "black" : "white";
    const says = (what, kind) => draw("text", { x, y, class: kind }, what);
    if (state.stone !== ".") {
      drawn.push(...this.stone(at, state.stone, state.last && !state.number));
      if (state.flip) drawn.push(draw("rect", { x: x - 5, y: y - 5, width: 10, height: 10, class: `flip on-${side}`, transform: `rotate(45 ${x} ${y})` }));
      if (state.number) drawn.push(says(String(state.number), `number on-${side}${state.last ? " newest" : ""}`));
      drawn.push(draw("circle", { cx: x, cy: y, r: CELL * 0.3, class: "would" }));
    } else if (state.ghost) {
      const kind = state.ghost.side === 0 ? "black" : "white";
      drawn.push(draw("circle", { cx: x, cy: y, r: CELL * 0.43, class: `stone ghost ${kind}` }));
      drawn.push(says(String(state.ghost.number), `number on-${kind}`));
    } else {
      if (state.forbidden) {
        const arm = CELL * 0.22;
        drawn.push(draw("path", { d: `M${x - arm} ${y - arm}L${x + arm} ${y + arm}M${x + arm} ${y - arm}L${x - arm} ${y + arm}`, class: "forbidden" }));
      }
      if (state.legal !== null && state.dot && !state.mark) drawn.push(draw("circle", { cx: x, cy: y, r: CELL * 0.13, class: "legal" }));
      drawn.push(draw("circle", { cx: x, cy: y, r: CELL * 0.43, class: `stone hovering ${mover}` }));
      if (state.mark) drawn.push(draw("rect", { x: x - CELL * 0.46, y: y - CELL * 0.3, width: CELL * 0.92, height: CELL * 0.6, rx: 6, class: `mark${state.mark.best ? " best" : ""}` }), says(state.mark.text, "worth"));
    }
    return drawn;
  }

  label(at, state) {
    const side = { X: "board.black", O: "board.white", ".": "board.empty" }[state.stone];
    const parts = [`${nameOf(at, this.size)}: ${text(side)}`];
    if (state.last) parts.push(text("board.last"));
    if (state.number) parts.push(String(state.number));
    if (state.forbidden) parts.push(text("board.forbidden", { why: word("reason", state.forbidden) }));
    else if (state.legal !== null && this.discs) {
      parts.push(text("board.legal"), text("board.flips", { count: state.legal }));
    }
    if (state.mark) parts.push(state.mark.text);
    if (state.better) parts.push(text("board.better"));
    return enumerated(parts);
  }
}
