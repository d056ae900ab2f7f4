// Shows the value of pruning: nodes by depth for each search, and a small tree with its cut branches.

import { draw, make, post, score, short, text } from "/assets/app.js";
import { Board } from "/assets/board.js";

const place = document.getElementById("lesson").dataset;
const board = new Board(document.getElementById("position"), { size: Number(place.size), discs: place.discs === "true", small: true });
board.show({ stones: place.stones });

function nodes(methods) {
  const [width, height, left, bottom, top] = [560, 260, 50, 26, 10];
  const depths = methods[0].nodes.length;
  const most = Math.log10(Math.max(...methods.flatMap((method) => method.nodes)));
  const x = (depth) => left + ((width - left - 20) * (depth - 1)) / Math.max(1, depths - 1);
  const y = (count) => top + ((height - bottom - top) * (most - Math.log10(Math.max(1, count)))) / most;
  const svg = draw("svg", { viewBox: `0 0 ${width} ${height}`, class: "course", role: "img", "aria-label": text("lesson.nodes") });
  for (let power = 0; power <= most; power += 1) {
    const at = y(10 ** power);
    svg.append(draw("line", { x1: left, x2: width - 20, y1: at, y2: at, class: "axis" }), draw("text", { x: left - 6, y: at + 4, class: "scale" }, short(10 ** power)));
  }
  for (let depth = 1; depth <= depths; depth += 1) svg.append(draw("text", { x: x(depth) + 4, y: height - 8, class: "scale" }, String(depth)));
  methods.forEach((method, index) => {
    const points = method.nodes.map((count, at) => `${x(at + 1)},${y(count)}`).join(" ");
    svg.append(draw("polyline", { points, class: `curve method-${index}` }));
  });
  const key = make("ul", { class: "legend course" }, ...methods.map((method, index) => {
    const line = draw("line", { x2: 28, y1: 4, y2: 4, class: `curve method-${index}` });
    const sign = draw("svg", { "aria-hidden": "true" }, line);
    return make("li", {}, sign, ` ${text(`method.${method.method}`)}`);
  }));
  const head = [text("lesson.depth"), ...methods.map((method) => text(`method.${method.method}`))];
  const row = (depth) => make("tr", {}, make("th", { scope: "row", class: "number" }, String(depth)), ...methods.map((method, index) => {
    const [count, all] = [method.nodes[depth - 1], methods[0].nodes[depth - 1]];
    const share = index === 0 ? null : make("small", {}, ` ${((100 * count) / all).toFixed(1)} %`);
    return make("td", { class: "number" }, count.toLocaleString(document.documentElement.lang), share);
  }));
  const table = make("table", {}, make("thead", {}, make("tr", {}, ...head.map((name) => make("th", { scope: "col", class: "number" }, name)))), make("tbody", {}, ...Array.from({ length: depths }, (_, at) => row(at + 1))));
  return [svg, key, make("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": text("lesson.nodes") }, table)];
}

const leaves = (branch) => (branch.then.length ? branch.then.reduce((sum, one) => sum + leaves(one), 0) : 1);

function tree(root) {
  const [step, row] = [46, 62];
  const all = leaves(root);
  const svg = draw("svg", { viewBox: `0 0 ${all * step} ${4 * row}`, width: all * step, height: 4 * row, class: "tree", role: "img", "aria-label": text("lesson.tree") });
  const [lines, boxes] = [draw("g"), draw("g")];
  const put = (branch, from, depth) => {
    const wide = leaves(branch);
    const [x, y] = [(from + wide / 2) * step, depth * row + 24];
    let at = from;
    for (const next of branch.then) {
      const to = (at + leaves(next) / 2) * step;
      const isCut = next.value === null;
      lines.append(draw("line", { x1: x, y1: y, x2: to, y2: y + row, class: isCut ? "branch cut" : next.best ? "branch best" : "branch" }));
      put(next, at, depth + 1);
      at += leaves(next);
    }
    const isCut = branch.value === null;
    const name = branch.move ? `${branch.move}${isCut ? "" : ` ${score(Math.round(branch.value * 10) / 10)}`}` : score(Math.round(branch.value * 10) / 10);
    const box = draw("g", { class: `node ${isCut ? "cut" : depth % 2 ? "min" : "max"}` });
    box.append(draw("rect", { x: x - 21, y: y - 17, width: 42, height: 34, rx: depth % 2 ? 17 : 4 }));
    const words = name.split(" ");
    if (isCut) words.push("×");
    words.forEach((word, index) => box.append(draw("text", { x, y: y + (words.length === 1 ? 4 : index * 14 - 2) }, word)));
    boxes.append(box);
  };
  put(root, 0, 0);
  svg.append(lines, boxes);
  return svg;
}

const asked = place.game === "" ? {} : { run: place.run, game: Number(place.game), ply: place.ply === "" ? null : Number(place.ply) };
const { ok, data } = await post("/lesson", asked);
const message = document.getElementById("message");
if (ok) {
  message.textContent = "";
  document.getElementById("nodes").replaceChildren(...nodes(data.methods));
  document.getElementById("tree").replaceChildren(tree(data.tree));
} else {
  message.textContent = data?.why ?? text("said.lost");
}
