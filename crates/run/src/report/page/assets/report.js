"use strict";
// The script of a report: the list of games, and a board for each. All texts are set by textContent.
(() => {
const $ = (id) => document.getElementById(id);
const root = document.documentElement;
const theme = $("theme");
theme.hidden = false;
theme.addEventListener("click", () => {
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
});

// ---- the other language: the page is in English, and a dictionary replaces its texts. A text with values is the
// content of an element with `data-said`, which holds the message.

const dictionary = JSON.parse($("texts").textContent);
const inEnglish = renderer({}), inOther = renderer(dictionary);
const rendered = (message) => (root.lang === own ? inEnglish : inOther)(message);
const render = (node) => { node.textContent = rendered(JSON.parse(node.dataset.said)); };
const originals = new Map();
function put(node, get, set) {
  const text = get(), known = text.trim().replace(/\s+/g, " ");
  if (!Object.hasOwn(dictionary, known)) return;
  const other = dictionary[known];
  const space = [/^\s*/.exec(text)[0], /\s*$/.exec(text)[0]];
  if (!originals.has(node)) originals.set(node, []);
  originals.get(node).push(() => set(text));
  set(space[0] + other + space[1]);
}
function translate(from) {
  const walker = document.createTreeWalker(from, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  for (let node = from; node; node = walker.nextNode()) {
    if (node.nodeType === Node.TEXT_NODE) {
      if (!node.parentElement?.closest("[data-said], bdi, pre, code, script, style")) put(node, () => node.data, (text) => { node.data = text; });
    } else if (node.nodeType === Node.ELEMENT_NODE) {
      for (const name of ["aria-label", "title"]) if (node.hasAttribute(name)) put(node, () => node.getAttribute(name), (text) => node.setAttribute(name, text));
    }
  }
}
// Translates texts that the script writes later.
const later = new MutationObserver((changes) => changes.forEach(({ addedNodes }) => addedNodes.forEach(translate)));
// The button names the other language.
const button = $("language"), own = root.lang, other = button.lang, otherName = button.textContent;
function speak(code) {
  root.lang = code;
  button.lang = code === other ? own : other;
  button.textContent = code === other ? "English" : otherName;
  if (code === other) {
    translate(document.body);
    later.observe(document.body, { childList: true, subtree: true });
  } else {
    later.disconnect();
    for (const all of originals.values()) all.forEach((back) => back());
    originals.clear();
  }
  document.querySelectorAll("[data-said]").forEach(render);
  // An attribute describes the board.
  if (root.dataset.ready && game) go(ply);
}
button.hidden = false;
button.addEventListener("click", () => speak(button.lang));
const wanted = navigator.languages.map((code) => code.split("-")[0]).find((code) => code === own || code === other);
if (wanted === other) speak(other);
if (!$("records")) return;

const SHOWN = 100;
const names = JSON.parse($("names").textContent);
const svgName = "http://www.w3.org/2000/svg";
let list = [], found = [], shown = SHOWN, lines = new Map(), game = null, ply = 0;

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}
function said(text, values) {
  const made = element("span", { "data-said": JSON.stringify({ text, values }) });
  render(made);
  return made;
}
// Joins parts of a message with commas.
const listed = (parts) => parts.reduce((first, second) => ({ text: "{}, {}", values: { 0: first, 1: second } }));
function svg(name, attributes = {}, ...children) {
  const made = document.createElementNS(svgName, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}
async function unpacked(id) {
  const text = $(id).textContent.trim();
  if (!text) return [];
  if (!window.DecompressionStream) throw new Error("this browser is too old to unpack the games; arena replay shows them");
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return (await new Response(stream).text()).split("\n").filter((line) => line);
}
const moves = (text) => text.match(/[a-v]\d{1,2}|-/g) || [];
const spoken = (move) => (move === "-" ? "pass" : move);
const sideAt = (number) => (number % 2 ? "white" : "black");
const number = (value) => value.toLocaleString("en");

// ---- the list

function entry(line) {
  const [n, b, w, result, ending, plies, opening] = line.split(" ");
  return { n: +n, b: +b, w: +w, result, ending, plies: +plies, opening: opening || "" };
}
function options(select, values) {
  for (const [value, text] of values) select.append(element("option", { value }, text));
}
function begin() {
  const bots = names.bots.map((name, index) => [index, name]);
  options($("of-bot"), bots);
  options($("of-other"), bots);
  const results = { black: "black won", white: "white won", draw: "drawn", none: "nobody scores", void: "void" };
  const seen = new Set(list.map((game) => game.result));
  options($("of-result"), [["won", "the bot won"], ["lost", "the bot lost"], ...Object.entries(results).filter(([key]) => seen.has(key))]);
  options($("of-ending"), [...new Set(list.map((game) => game.ending))].sort().map((word) => [word, word]));
  $("filter").hidden = list.length < 2;
  $("list").hidden = list.length < 2;
  for (const id of ["of-bot", "of-other", "of-result", "of-ending", "of-opening"]) {
    $(id).addEventListener("input", () => { shown = SHOWN; filter(); });
  }
  $("filter").addEventListener("submit", (event) => event.preventDefault());
  $("more").addEventListener("click", () => { shown += 5 * SHOWN; draw(); });
}
function filter() {
  const [bot, other, result, ending] = ["of-bot", "of-other", "of-result", "of-ending"].map((id) => $(id).value);
  const opening = $("of-opening").value.trim().toLowerCase();
  const plays = (game, number) => number === "" || game.b === +number || game.w === +number;
  const side = (game) => (game.b === +bot ? "black" : "white");
  const ended = (game) => {
    if (result === "won") return bot !== "" && game.result === side(game);
    if (result === "lost") return bot !== "" && game.result !== side(game) && ["black", "white", "none"].includes(game.result);
    return !result || game.result === result;
  };
  found = list.filter((game) => plays(game, bot) && plays(game, other) && (bot === "" || bot !== other)
    && ended(game) && (!ending || game.ending === ending) && game.opening.startsWith(opening));
  draw();
}
function fileOf(n) {
  const part = (names.parts || []).find((part) => part.first <= n && n <= part.last);
  return part && part.file;
}
function draw() {
  $("found").replaceChildren(found.length === 1 ? "1 game" : said("{games} games", { games: number(found.length) }));
  $("rows").replaceChildren(...found.slice(0, shown).map((game) => {
    const file = lines.has(game.n) ? "" : fileOf(game.n);
    const name = file === undefined ? String(game.n) : element("a", { href: file + "#game-" + game.n }, String(game.n));
    const row = element("tr", { "data-game": game.n }, element("th", { scope: "row" }, name));
    for (const bot of [game.b, game.w]) row.append(element("td", {}, element("bdi", {}, names.bots[bot])));
    row.append(element("td", {}, game.result), element("td", {}, game.ending), element("td", { class: "number" }, String(game.plies)));
    return row;
  }));
  $("more").hidden = found.length <= shown;
  current();
}
function current() {
  for (const row of $("rows").children) {
    row.setAttribute("aria-current", game !== null && +row.dataset.game === game.n);
  }
}

// ---- positions

// Returns the positions of a game: stones, flipped discs, and the square played.
function positions(game) {
  const board = names.boards[game.g];
  const size = board.rows.length;
  let stones = board.rows.join("");
  const all = [{ stones, turned: [], at: -1, line: null }];
  game.moves.forEach((move, index) => {
    const own = index % 2 ? "O" : "X";
    const cells = [...stones], turned = [];
    let at = -1, line = null;
    if (move !== "-") {
      const column = move.charCodeAt(0) - 97, row = +move.slice(1) - 1;
      at = row * size + column;
      cells[at] = own;
      for (const [dr, dc] of [[0, 1], [1, 0], [1, 1], [1, -1], [0, -1], [-1, 0], [-1, -1], [-1, 1]]) {
        const run = [];
        let [r, c] = [row + dr, column + dc];
        const on = () => r >= 0 && c >= 0 && r < size && c < size;
        while (on() && cells[r * size + c] !== "." && (cells[r * size + c] === own) !== board.turns) {
          run.push(r * size + c);
          r += dr;
          c += dc;
        }
        if (board.turns && run.length && on() && cells[r * size + c] === own) turned.push(...run);
        if (!board.turns && (dr > 0 || (dr === 0 && dc > 0))) {
          let back = 0;
          [r, c] = [row - dr, column - dc];
          while (on() && cells[r * size + c] === own) { back += 1; r -= dr; c -= dc; }
          if (run.length + back >= 4) line = [row - back * dr, column - back * dc, row + run.length * dr, column + run.length * dc];
        }
      }
      for (const square of turned) cells[square] = own;
    }
    stones = cells.join("");
    all.push({ stones, turned, at, line: index >= game.given ? line : null });
  });
  return all;
}

// ---- a game

function open(n, at) {
  const text = lines.get(n);
  if (text === undefined) {
    const file = fileOf(n);
    if (file) location.href = file + "#game-" + n;
    else $("trouble").replaceChildren(said("Game {n} is not in this file: arena replay RUN/{n} shows it.", { n: String(n) }));
    return;
  }
  $("trouble").textContent = "";
  const raw = JSON.parse(text);
  game = { ...raw, n, given: raw.o, moves: moves(raw.m) };
  game.positions = positions(game);
  const column = (values, index) => (values && index >= game.given ? values[index - game.given] : null) ?? null;
  game.of = (key, index) => column(raw[key], index);
  game.turning = turning();
  const [black, white] = [names.bots[raw.b], names.bots[raw.w]];
  $("game-title").replaceChildren(said("Game {n}:", { n: String(n) }), " ", element("bdi", {}, black), " ", element("span", {}, "● against"), " ",
    element("bdi", {}, white), " ○, ", element("span", {}, names.boards[raw.g].title));
  const won = { black, white }[raw.x];
  const values = { result: { text: raw.x }, how: { text: raw.y }, counts: raw.c.join("–") };
  $("game-result").replaceChildren(...(won === undefined ? [said("{result} ({how}), {counts}", values)]
    : [element("bdi", {}, won), " ", said("wins ({how}), {counts}", values)]));
  $("notes").replaceChildren(...[raw.f, raw.q].filter(Boolean).flatMap((message) => [said("{what}", { what: typeof message === "string" ? { text: message } : message }), " "]));
  $("ply").max = game.moves.length;
  $("turn").hidden = game.turning === null;
  $("viewer").hidden = false;
  $("moves").replaceChildren(...game.moves.map((move, index) => {
    const button = element("button", { type: "button", class: index < game.given ? "given" : "" },
      move === "-" ? said("{n}. pass", { n: String(index + 1) }) : index + 1 + ". " + move);
    button.addEventListener("click", () => go(index + 1));
    return element("li", {}, button);
  }));
  graphs();
  current();
  go(Math.min(at ?? game.moves.length, game.moves.length));
}
// Returns the half-move before which the loser's own score had fallen most.
function turning() {
  const loser = { black: 1, white: 0 }[game.x];
  let last = null, worst = 0, where = null;
  game.moves.forEach((_, index) => {
    const score = game.of("s", index);
    if (index % 2 !== loser || score === null) return;
    if (last !== null && last - score > worst) { worst = last - score; where = index; }
    last = score;
  });
  return where;
}
function go(to) {
  if (game === null) return;
  ply = Math.max(0, Math.min(to, game.moves.length));
  $("ply").value = ply;
  const position = game.positions[ply], move = game.moves[ply - 1];
  const count = (symbol) => [...position.stones].filter((cell) => cell === symbol).length;
  const who = ply && names.bots[ply % 2 ? game.b : game.w];
  const played = () => said("{n}. " + sideAt(ply - 1) + " {move}" + (ply <= game.given ? " (opening)" : ""), { n: String(ply), move: { text: spoken(move) } });
  $("state").replaceChildren(ply === 0 ? element("span", {}, "Start") : played(), " · ● " + count("X") + " ○ " + count("O"));
  $("thought").replaceChildren();
  if (ply > game.given) {
    const of = (key) => game.of(key, ply - 1), parts = [];
    const part = (text, values) => parts.push({ text, values });
    if (of("t") !== null && of("u") === null) part("{time} ms", { time: String(of("t")) });
    if (of("t") !== null && of("u") !== null) part("{time} ms (CPU {cpu})", { time: String(of("t")), cpu: String(of("u")) });
    if (of("d") !== null) part("depth {depth}", { depth: String(of("d")) });
    if (of("s") !== null) part("score {score}", { score: (of("s") > 0 ? "+" : "") + of("s") });
    if (of("k") !== null) part("{nodes} nodes", { nodes: number(of("k")) });
    const thought = parts.length ? listed(parts) : { text: "forced" };
    $("thought").append(element("bdi", {}, who), said(": {thought}", { thought }));
    if (of("v")) $("thought").append(said("; expects {line}", { line: moves(of("v")).map(spoken).join(" ") }));
  }
  board(position);
  [...$("moves").children].forEach((item, index) => item.firstChild.setAttribute("aria-current", index === ply - 1));
  const active = $("moves").children[ply - 1];
  if (active) $("moves").scrollTop = active.offsetTop - $("moves").offsetTop - 60;
  for (const cursor of document.querySelectorAll(".here")) cursor.setAttribute("d", "M" + across(ply) + " 4V96");
  history.replaceState(null, "", "#game-" + game.n + "-" + ply);
}
function board(position) {
  const { rows, turns } = names.boards[game.g], size = rows.length;
  const drawn = svg("svg", { viewBox: "-0.75 -0.75 " + (size + 1) + " " + (size + 1), role: "img" });
  drawn.append(svg("rect", { class: turns ? "felt" : "wood", width: size, height: size }));
  let grid = "";
  for (let i = 0; i <= size; i += 1) {
    if (turns) grid += `M0 ${i}H${size}M${i} 0V${size}`;
    else if (i < size) grid += `M.5 ${i + 0.5}H${size - 0.5}M${i + 0.5} .5V${size - 0.5}`;
  }
  drawn.append(svg("path", { class: "cell", d: grid }));
  for (let i = 0; i < size; i += 1) {
    drawn.append(svg("text", { x: i + 0.5, y: -0.2, class: "middle" }, String.fromCharCode(97 + i)));
    drawn.append(svg("text", { x: -0.15, y: i + 0.63, class: "end" }, String(i + 1)));
  }
  const put = (at, kind, label) => {
    const [x, y] = [(at % size) + 0.5, Math.floor(at / size) + 0.5];
    const stone = svg("g", { class: kind }, svg("circle", { cx: x, cy: y, r: 0.43 }));
    if (label) stone.append(svg("text", { x, y: y + 0.13 }, label));
    drawn.append(stone);
  };
  const order = new Map();
  if ($("numbers").checked) game.moves.slice(0, ply).forEach((_, index) => order.set(game.positions[index + 1].at, index + 1));
  const squares = { X: [], O: [] };
  [...position.stones].forEach((cell, at) => {
    if (cell === ".") return;
    put(at, "stone " + (cell === "X" ? "black" : "white"), order.has(at) ? String(order.get(at)) : "");
    squares[cell].push(String.fromCharCode(97 + (at % size)) + (Math.floor(at / size) + 1));
  });
  for (const at of position.turned) drawn.append(svg("circle", { class: "turned", cx: (at % size) + 0.5, cy: Math.floor(at / size) + 0.5, r: 0.3 }));
  if (position.line) {
    const [r, c, toRow, toColumn] = position.line;
    drawn.append(svg("path", { class: "won", d: `M${c + 0.5} ${r + 0.5}L${toColumn + 0.5} ${toRow + 0.5}` }));
  }
  if (position.at >= 0 && !order.size) drawn.append(svg("circle", { class: "mark", cx: (position.at % size) + 0.5, cy: Math.floor(position.at / size) + 0.5, r: 0.13 }));
  const line = ply > game.given && $("ghosts").checked ? game.of("v", ply - 1) : null;
  moves(line || "").slice(1).forEach((move, index) => {
    if (move === "-") return;
    const at = (+move.slice(1) - 1) * size + move.charCodeAt(0) - 97;
    if (position.stones[at] === ".") put(at, "ghost " + ((ply + index) % 2 ? "white" : "black"), String(index + 1));
  });
  const [black, white] = [squares.X, squares.O].map((all) => all.join(" ") || { text: "no stones" });
  drawn.setAttribute("aria-label", rendered({ text: "black: {black}; white: {white}", values: { black, white } }));
  $("board").replaceChildren(drawn);
}

// ---- graphs of a game

const WIDTH = 600;
const across = (at) => (30 + (at / Math.max(1, game.moves.length)) * (WIDTH - 34)).toFixed(1);
function graphs() {
  const made = [];
  const scores = game.moves.map((_, index) => game.of("s", index));
  const most = Math.max(0, ...scores.map((score) => Math.abs(score ?? 0)));
  if (most > 0) {
    // Large scores are wins in the bots' own units: the graph ends at the 90th percentile.
    const sizes = scores.filter((score) => score !== null).map(Math.abs).sort((a, b) => a - b);
    const top = Math.max(1e-9, sizes[Math.floor(sizes.length * 0.9)] || most);
    const up = (score) => (50 - (Math.max(-top, Math.min(top, score)) / top) * 44).toFixed(1);
    const graph = frame("Score, black's view: above the line black is better");
    graph.append(svg("path", { class: "zero", d: `M30 50H${WIDTH - 4}` }), svg("text", { x: 26, y: 14, class: "end" }, "+" + Math.round(top)), svg("text", { x: 26, y: 96, class: "end" }, "−" + Math.round(top)));
    for (const side of [0, 1]) {
      let path = "";
      scores.forEach((score, index) => {
        if (index % 2 === side && score !== null) path += (path ? "L" : "M") + across(index + 1) + " " + up(side ? -score : score);
      });
      graph.append(svg("path", { class: "line s" + side, d: path || "M0 0" }));
    }
    made.push(finish(graph));
  }
  const times = game.moves.map((_, index) => game.of("t", index));
  const longest = Math.max(0, ...times.map((time) => time ?? 0));
  if (longest > 0) {
    const graph = frame("Time of each move in ms");
    graph.append(svg("text", { x: 26, y: 14, class: "end" }, String(Math.round(longest * 10) / 10)));
    times.forEach((time, index) => {
      if (time === null) return;
      const high = Math.max(0.5, (time / longest) * 88);
      graph.append(svg("rect", { class: index % 2 ? "bar other" : "bar", x: across(index + 0.6), width: Math.max(1, (WIDTH / game.moves.length) * 0.7).toFixed(1), y: (94 - high).toFixed(1), height: high.toFixed(1) }));
    });
    made.push(finish(graph));
  }
  const legend = element("ul", { class: "legend" });
  for (const [side, mark] of [[0, "●"], [1, "○"]]) {
    const swatch = svg("svg", { viewBox: "0 0 28 8", "aria-hidden": "true" }, svg("path", { class: "line s" + side, d: "M0 4H28" }));
    legend.append(element("li", {}, swatch, " ", mark, " ", element("bdi", {}, names.bots[side ? game.w : game.b])));
  }
  $("graphs").replaceChildren(...(made.length ? [...made, legend] : []));
}
function frame(title) {
  const graph = svg("svg", { class: "graph", viewBox: "0 0 " + WIDTH + " 100", role: "img", "aria-label": title });
  graph.dataset.title = title;
  return graph;
}
function finish(graph) {
  graph.append(svg("path", { class: "here", d: "M0 0" }), svg("rect", { class: "hit", x: 0, y: 0, width: WIDTH, height: 100 }));
  graph.addEventListener("click", (event) => {
    const box = graph.getBoundingClientRect();
    const share = (((event.clientX - box.left) / box.width) * WIDTH - 30) / (WIDTH - 34);
    go(Math.round(share * game.moves.length));
  });
  return element("figure", {}, element("figcaption", {}, graph.dataset.title), graph);
}

// ---- keys and addresses

const steps = { ArrowLeft: () => go(ply - 1), ArrowRight: () => go(ply + 1), Home: () => go(0), End: () => go(game.moves.length) };
document.addEventListener("keydown", (event) => {
  const step = steps[event.key];
  const writes = event.target.closest("select, input[type=text], input:not([type])");
  if (!step || !game || writes || event.ctrlKey || event.altKey || event.metaKey) return;
  event.preventDefault();
  step();
});
$("first").addEventListener("click", steps.Home);
$("back").addEventListener("click", steps.ArrowLeft);
$("forth").addEventListener("click", steps.ArrowRight);
$("last").addEventListener("click", steps.End);
$("turn").addEventListener("click", () => go(game.turning + 1));
$("ply").addEventListener("input", () => go(+$("ply").value));
$("numbers").addEventListener("change", () => go(ply));
$("ghosts").addEventListener("change", () => go(ply));
$("copy").addEventListener("click", async () => {
  const text = game.moves.filter((move) => move !== "-").join("");
  try {
    await navigator.clipboard.writeText(text);
    $("copy").textContent = "Copied";
  } catch {
    $("notes").textContent = text;
  }
});
function follow() {
  const [kind, ...numbers] = location.hash.slice(1).split("-");
  if (kind === "game") {
    open(+numbers[0], numbers[1] === undefined ? undefined : +numbers[1]);
    if (!$("viewer").hidden) { $("viewer").focus({ preventScroll: true }); $("viewer").scrollIntoView(); }
  } else if (kind === "vs" || kind === "bot") {
    $("of-bot").value = numbers[0];
    $("of-other").value = numbers[1] ?? "";
    $("of-result").value = $("of-ending").value = $("of-opening").value = "";
    shown = SHOWN;
    filter();
    $("games").scrollIntoView();
    if (found.length) $("rows").querySelector("a")?.focus({ preventScroll: true });
  }
}
(async () => {
  try {
    for (const line of await unpacked("records")) {
      const space = line.indexOf(" ");
      lines.set(+line.slice(0, space), line.slice(space + 1));
    }
    list = (await unpacked("index")).map(entry);
    begin();
    filter();
    if (/^#(game|vs|bot)-/.test(location.hash)) follow();
    else if (lines.size) open(names.first ?? lines.keys().next().value, undefined);
    root.dataset.ready = "true";
  } catch (error) {
    $("trouble").replaceChildren(said("The games cannot be shown: {why}", { why: { text: error.message } }));
  }
})();
addEventListener("hashchange", follow);
})();
