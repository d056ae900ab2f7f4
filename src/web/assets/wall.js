// The boards of a run that is being played.

import { listen, make, say, text, word } from "/assets/app.js";
import { Board } from "/assets/board.js";

const wall = document.getElementById("wall");
const cards = new Map();
let finished = 0;
let over = false;
/** Boards of ended games that stay until others need their place. */
const KEPT = 24;

function state() {
  const running = [...cards.values()].filter((card) => !card.over).length;
  const ended = over ? ` ${text("live.ended")}` : "";
  document.getElementById("state").textContent = text("live.state", { running, finished }) + ended;
}

function add(game) {
  remove(game.id);
  const place = make("div", { class: "place" });
  const names = make("p", {}, make("span", { class: "side black" }), ` ${game.players[0]} – ${game.players[1]} `, make("span", { class: "side white" }));
  const how = make("p", { class: "how" }, "…");
  const link = make("a", { class: "card", href: `${wall.dataset.base}${game.id}`, "data-game": game.id }, place, names, how);
  const card = { link, how, board: new Board(place, { size: game.size, discs: game.discs, small: true }), over: false };
  cards.set(game.id, card);
  move(card, game);
  wall.append(link);
  const old = [...cards].filter(([, one]) => one.over);
  for (const [id] of old.slice(0, Math.max(0, cards.size - KEPT))) remove(id);
}

function move(card, { stones, last, number }) {
  card.board.show({ stones, last });
  card.how.textContent = String(number);
}

function remove(id) {
  cards.get(id)?.link.remove();
  cards.delete(id);
}

/** A game that has ended; `first` puts it before the others. */
function show(game, over, first) {
  if (!cards.has(game.id)) add(game);
  const card = cards.get(game.id);
  card.over = true;
  move(card, game);
  card.link.href = `${wall.dataset.recorded}${game.id}`;
  card.link.classList.add("over");
  const winner = over.winner === null ? "½–½" : over.winner === 0 ? "1–0" : "0–1";
  card.how.textContent = `${winner} · ${word("reason", over.reason)}`;
  if (first) wall.prepend(card.link);
}

/** The latest games of a record, once a change has been told. */
async function latest() {
  const answer = await fetch(wall.dataset.latest);
  if (!answer.ok) return;
  const games = await answer.json();
  for (const { card: game, over } of games.reverse()) {
    if (!cards.has(game.id)) show(game, over, true);
  }
}

if (wall?.dataset.latest) {
  listen(wall.dataset.events, { now: latest, lost: () => say(text("said.lost")) });
} else if (wall) {
  listen(wall.dataset.events, {
    all: (games) => {
      for (const id of [...cards.keys()]) remove(id);
      games.forEach(add);
      state();
    },
    started: (game) => {
      add(game);
      state();
    },
    ply: ({ id, frame, stones, number }) => {
      const card = cards.get(id);
      if (card) move(card, { stones, last: frame.at, number });
    },
    finished: ({ card: game, over }) => {
      finished += 1;
      show(game, over, false);
      state();
    },
    void: ({ id }) => {
      remove(id);
      state();
    },
    end: () => {
      over = true;
      state();
    },
    lost: () => say(text("said.lost")),
  });
}
