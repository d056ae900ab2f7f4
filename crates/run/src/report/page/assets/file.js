// The script of a file with a run or games. The file has the page of the run. If the fragment of the address
// names a game or a pair, the game or the pair is shown instead of this page.

import { inWords, make, say, text, word } from "/assets/app.js";
import { boards } from "/assets/fresh.js";
import { mirror } from "/assets/pair.js";
import { carried, get, listed, numbers, parts, screen } from "/assets/source.js";
import { Viewer } from "/assets/viewer.js";

const PAIRS = 50;
const main = document.getElementById("main");
const run = [...main.childNodes];
const name = document.title;
const form = main.querySelector("form.filter");
const bots = [...form.elements.bot.options].map((one) => one.value).filter(Boolean);

// ---- the list of games, as `list.rs` makes it

const list = listed.map(([id, players, points, reason, faults, plies, opening]) => ({ id, players, points, reason, faults, plies, opening }));
const WON = { "1–0": 0, "0–1": 1 };
const openings = [...new Set(list.map((game) => game.opening))];
list.sort((one, other) => one.id - other.id);

function fits(game, query) {
  const asked = (name) => query.get(name) ?? "";
  const plays = (bot) => !bot || game.players.includes(bot);
  if (!plays(asked("bot")) || !plays(asked("against"))) return false;
  if (asked("opening") && openings[asked("opening")] !== game.opening) return false;
  if (asked("end") && asked("end") !== game.reason) return false;
  const side = game.players.indexOf(asked("bot"));
  const isAtFault = side < 0 ? game.faults.some(Boolean) : game.faults[side];
  const isFault = ["any", game.reason].includes(asked("fault")) || game.reason === "both-failed";
  if (asked("fault") && !(isAtFault && isFault)) return false;
  const winner = WON[game.points];
  const result = { "½–½": "draw", "–": "void", "0–0": "loss" }[game.points] ?? (winner === Math.max(0, side) ? "win" : "loss");
  return !asked("result") || asked("result") === result;
}

/** Returns the address of a game or of a pair, which may be in another file. */
function link(kind, number) {
  const game = kind === "pair" ? 2 * number : number;
  const file = numbers.length ? undefined : parts.find(([first, last]) => first <= game && game <= last)?.[2];
  return `${file ? file + carried() : ""}#${kind}-${number}`;
}

function cell(game, isLost) {
  const side = (at) => make("span", { class: `side ${["black", "white"][at]}`, role: "img", "aria-label": text(["side.black", "side.white"][at]) });
  const kind = game.faults.some(Boolean) ? "fault" : { "½–½": "drawn", "–": "void", "0–0": "fault" }[game.points] ?? "won";
  const how = text("games.how", { how: word("reason", game.reason), plies: game.plies });
  return make("a", { class: `game ${kind}`, href: link("game", game.id) + (isLost ? "-lost" : "") }, side(0), `\u00a0${game.players[0]} `, make("b", {}, game.points), " ", side(1), `\u00a0${game.players[1]} `, make("small", {}, how));
}

/** Lists the games that match a query. */
function show(query) {
  for (const select of form.querySelectorAll("select")) select.value = query.get(select.name) ?? "";
  const pairs = Map.groupBy(list.filter((game) => fits(game, query)), (game) => Math.floor(game.id / 2));
  const found = [...pairs.values()].reduce((sum, games) => sum + games.length, 0);
  const pages = Math.max(1, Math.ceil(pairs.size / PAIRS));
  const page = Math.min(pages, Math.max(1, Number(query.get("page")) || 1));
  const rows = [...pairs].slice((page - 1) * PAIRS, page * PAIRS).map(([pair, games]) => {
    const both = [0, 1].map((at) => games.find((game) => game.id % 2 === at));
    const place = String(pair + 1);
    return make("tr", {}, make("th", { scope: "row", class: "number" }, both.every(Boolean) ? make("a", { href: link("pair", pair) }, place) : place),
      make("td", {}, games[0].opening ? make("code", {}, games[0].opening.length > 24 ? `${games[0].opening.slice(0, 24)}…` : games[0].opening) : ""),
      ...both.map((game) => make("td", {}, game ? cell(game, query.get("result") === "loss") : "")));
  });
  main.querySelector(".games tbody").replaceChildren(...rows);
  document.getElementById("found").textContent = text("games.found", { games: found });
  const turn = (rel, to, name) => make("a", { rel, href: `?${new URLSearchParams({ ...Object.fromEntries(query), page: to })}#games` }, name);
  main.querySelector(".pages")?.remove();
  if (pages === 1) return;
  document.getElementById("games").append(make("p", { class: "pages" },
    page > 1 ? turn("prev", page - 1, `← ${text("games.previous")}`) : "", make("span", {}, text("games.page", { page, pages })),
    page < pages ? turn("next", page + 1, `${text("games.next")} →`) : ""));
}

function look(query) {
  show(query);
  document.getElementById("games").scrollIntoView();
}

form.querySelector("button").hidden = true;
form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("input", () => show(new URLSearchParams(new FormData(form))));
main.addEventListener("click", (event) => {
  const link = event.target.closest('a[href^="?"]');
  if (!link) return;
  event.preventDefault();
  look(new URLSearchParams(link.getAttribute("href").split("#")[0]));
});

// ---- games and pairs

let shown = null;

/** Shows a page of games instead of the run. Returns the signal that ends the page. */
function put(name) {
  shown?.abort();
  shown = new AbortController();
  main.replaceChildren(...screen(name));
  scrollTo(0, 0);
  return shown.signal;
}

const title = (game) => text("game.title", { game });

function lead(heading) {
  for (const place of main.querySelectorAll("h1, .path > :last-child")) place.textContent = heading;
  document.title = heading;
}

async function openGame(number, ply) {
  const view = await get(number);
  const signal = put("game");
  const [black, white] = view.players;
  lead(inWords({ text: "{}: {black} – {white}", values: { 0: title(number), black, white } }));
  Object.assign(document.getElementById("game").dataset, { base: `#game-${number}`, number, run: "game" });
  const at = numbers.indexOf(number);
  for (const [rel, other, kind] of [["prev", numbers[at - 1], "game"], ["next", numbers[at + 1], "game"], ["", numbers.includes(number ^ 1) ? number >> 1 : undefined, "pair"]]) {
    const one = main.querySelector(rel ? `.beside [rel=${rel}]` : ".beside :not([rel])");
    one.hidden = other === undefined;
    one.href = link(kind, other);
  }
  new Viewer({ signal }).open(view, ply);
}

async function openPair(pair) {
  const games = [2 * pair, 2 * pair + 1];
  const [{ opening }] = [await get(games[0])];
  const signal = put("pair");
  lead(text("pair.title", { pair: pair + 1 }));
  document.getElementById("pair").dataset.opening = opening;
  main.querySelectorAll(".half").forEach((half, at) => {
    Object.assign(half, { ariaLabel: title(games[at]) }).dataset.url = games[at];
    Object.assign(half.querySelector("h2 a"), { href: link("game", games[at]), textContent: title(games[at]) });
  });
  await mirror(signal);
}

function back() {
  if (!shown) return;
  shown.abort();
  shown = null;
  main.replaceChildren(...run);
  document.title = name;
}

async function follow() {
  const [kind, ...places] = location.hash.slice(1).split("-");
  const [number, ply] = [Number(places[0]), places[1]];
  const needed = { game: [number], pair: [2 * number, 2 * number + 1] }[kind];
  if (needed) {
    const missing = needed.find((game) => !numbers.includes(game));
    if (missing === undefined) await (kind === "game" ? openGame(number, ply) : openPair(number));
    else if (link(kind, number).startsWith("#")) say(text("file.no-game", { game: missing }));
    else location.href = link(kind, number);
    return;
  }
  back();
  // The address names one or two bots by their numbers.
  if (["bot", "vs"].includes(kind)) look(new URLSearchParams({ bot: bots[number] ?? "", against: bots[ply] ?? "" }));
  else document.getElementById(kind)?.scrollIntoView();
}

boards(main);
const query = new URLSearchParams(location.search);
for (const name of ["lang", "theme"]) query.delete(name);
show(query);
addEventListener("hashchange", follow);
await follow();
document.documentElement.dataset.ready = "games";
