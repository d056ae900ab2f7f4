// Graphs of a game by half-move: chance of winning, time, depth, nodes. Black has solid lines and dots, white has
// dashed lines and hollow dots, so that no information is in colour alone.

import { worthText } from "/assets/analysis.js";
import { draw, make, score, short, text, time } from "/assets/app.js";
import { valueText } from "/assets/evaluation.js";

const WIDTH = 480;
const HEIGHT = 78;
const LEFT = 44;
const BOTTOM = 14;

const percent = (value) => `${Math.round(value)} %`;

const KINDS = [
  { key: "worth", judged: true, chance: ({ evaluation, ply }) => evaluation.judged(ply), full: ({ judged }) => judged.worth.exact, one: true, shown: percent },
  { key: "score", chance: ({ evaluation, ply }) => evaluation.reported(ply), shown: percent },
  { key: "cost", judged: true, value: ({ judged, percent }) => (percent ? 100 * judged.cost : judged.cost), mark: ({ judged }) => ["missed-win", "allowed-win"].includes(judged.remark), bars: true, shown: short },
  { key: "time", value: ({ thought }) => thought.wall, inner: ({ thought }) => thought.cpu, bars: true, least: 1, shown: time },
  { key: "depth", value: ({ thought }) => thought.depth, shown: short },
  { key: "nodes", value: ({ thought }) => (thought.nodes ? Math.log10(thought.nodes) : null), shown: (value) => short(10 ** value) },
];

export class Graphs {
  /** `go` is called with a chosen half-move. */
  constructor(container, go) {
    this.container = container;
    this.go = go;
    this.cursors = [];
  }

  /** Draws all graphs of a game, and of its analysis if there is one. */
  show(view, analysis, evaluation) {
    Object.assign(this, { view, analysis, evaluation });
    this.last = Math.max(1, view.frames.length - 1);
    this.cursors = [];
    const graphs = KINDS.map((kind) => this.graph(kind)).filter(Boolean);
    if (graphs.length === 0) {
      this.container.replaceChildren(make("p", { class: "empty" }, text("graph.none")));
      return;
    }
    this.container.replaceChildren(...graphs, this.table());
    this.at(this.ply ?? 0);
  }

  /** Moves the line that marks the half-move on the board. */
  at(ply) {
    this.ply = ply;
    for (const cursor of this.cursors) {
      cursor.setAttribute("x1", this.x(ply));
      cursor.setAttribute("x2", this.x(ply));
    }
  }

  x(ply) {
    return LEFT + ((WIDTH - LEFT - 6) * ply) / this.last;
  }

  graph(kind) {
    const points = this.view.frames.flatMap((frame, ply) => {
      const facts = { evaluation: this.evaluation, ply, thought: frame.thought, judged: this.analysis?.at(ply), by: frame.by, percent: this.analysis?.unit === "chance" };
      const known = kind.judged ? facts.judged : facts.thought && !facts.thought.forced;
      const chance = known ? kind.chance?.(facts) : null;
      const value = chance ? 100 * chance.chance : known ? kind.value?.(facts) : null;
      if (value === null || value === undefined) return [];
      return [{ ply, by: frame.by, value, chance, inner: kind.inner?.(facts), full: kind.full?.(facts), mark: kind.mark?.(facts) }];
    });
    if (points.length === 0) return null;
    const values = points.map((point) => point.value);
    let [low, high] = kind.chance ? [0, 100] : [Math.min(0, ...values), Math.max(kind.least ?? 0, ...values)];
    if (high === low) high = low + 1;
    const middle = kind.chance ? 50 : Math.max(0, low);
    const y = (value) => 4 + ((HEIGHT - BOTTOM - 8) * (high - value)) / (high - low);
    const name = text(`graph.${kind.key}`);
    const svg = draw("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: `graph ${kind.key}`, role: "img", "aria-label": name });
    svg.append(
      draw("line", { x1: LEFT, x2: WIDTH - 6, y1: y(middle), y2: y(middle), class: "axis" }),
      draw("text", { x: LEFT - 6, y: y(high) + 8, class: "scale" }, kind.shown(high)),
      draw("text", { x: LEFT - 6, y: y(low), class: "scale" }, kind.shown(low)),
      draw("text", { x: WIDTH - 6, y: HEIGHT - 2, class: "scale" }, String(this.last)),
    );
    if (kind.one) {
      svg.append(draw("polyline", { points: points.map((point) => `${this.x(point.ply)},${y(point.value)}`).join(" "), class: "curve black" }));
      for (const point of points) svg.append(draw("rect", { x: this.x(point.ply) - 2, y: y(point.value) - 2, width: 4, height: 4, class: `point ${point.full ? "black" : "white"}` }));
    }
    for (const by of kind.one ? [] : [0, 1]) {
      const own = points.filter((point) => point.by === by);
      const side = by === 0 ? "black" : "white";
      if (kind.bars) {
        const width = Math.max(1.5, (WIDTH - LEFT) / this.last / 1.6);
        for (const point of own) {
          const bar = (value, name) => draw("rect", { x: this.x(point.ply) - width / 2, width, y: y(value), height: Math.max(0.5, y(0) - y(value)), class: `${name} ${side}` });
          svg.append(bar(point.value, "bar"));
          if (point.inner) svg.append(bar(Math.min(point.inner, point.value), "bar cpu"));
          if (point.mark) svg.append(draw("text", { x: this.x(point.ply), y: 10, class: "scale alarm" }, "!"));
        }
        continue;
      }
      svg.append(draw("polyline", { points: own.map((point) => `${this.x(point.ply)},${y(point.value)}`).join(" "), class: `curve ${side}` }));
      if (own.length < 130) for (const point of own) svg.append(draw("circle", { cx: this.x(point.ply), cy: y(point.value), r: 2.4, class: `point ${side}` }));
    }
    // The first point with a known forced win is labelled with the number of half-moves to that win.
    points.forEach((point, index) => {
      const before = points.slice(0, index).findLast((one) => kind.one || one.by === point.by)?.chance;
      if (point.chance?.plies === undefined || (before?.plies !== undefined && before.chance === point.chance.chance)) return;
      svg.append(draw("text", { x: this.x(point.ply), y: point.value > 50 ? 18 : HEIGHT - BOTTOM - 8, class: "scale win" }, valueText(point.chance)));
    });
    const cursor = draw("line", { y1: 2, y2: HEIGHT - BOTTOM, class: "cursor" });
    this.cursors.push(cursor);
    svg.append(cursor);
    svg.addEventListener("click", (event) => {
      const box = svg.getBoundingClientRect();
      const x = ((event.clientX - box.left) * WIDTH) / box.width;
      const ply = Math.round(((x - LEFT) * this.last) / (WIDTH - LEFT - 6));
      this.go(Math.min(this.last, Math.max(0, ply)));
    });
    return make("figure", {}, make("figcaption", {}, name), svg);
  }

  table() {
    const details = make("details", {}, make("summary", {}, text("graph.table")));
    details.addEventListener("toggle", () => {
      if (!details.open || details.childElementCount > 1) return;
      const head = ["graph.ply", "game.moves", "thought.score", "thought.time", "thought.cpu", "thought.depth", "thought.nodes", ...(this.analysis ? ["graph.worth", "graph.cost"] : [])];
      const rows = this.view.frames.slice(1).map((frame, index) => {
        const reported = frame.thought ?? {};
        const cells = [frame.played, score(reported.score), time(reported.wall), time(reported.cpu), reported.depth ?? "", short(reported.nodes)];
        if (this.analysis) {
          const judged = this.analysis.at(index + 1);
          cells.push(judged ? worthText(judged.worth) : "", judged?.cost > 0 ? this.analysis.cost(judged.cost) : "");
        }
        return make("tr", {}, make("th", { scope: "row" }, String(index + 1)), ...cells.map((cell) => make("td", {}, String(cell))));
      });
      const heads = make("tr", {}, ...head.map((key) => make("th", { scope: "col" }, text(key))));
      const box = make("div", { class: "scroll tall", tabindex: 0, role: "group", "aria-label": text("graph.table") });
      box.append(make("table", {}, make("thead", {}, heads), make("tbody", {}, ...rows)));
      details.append(box);
    });
    return details;
  }
}
