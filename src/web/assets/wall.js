// The boards of a run: first the running games, then the latest finished ones.

import { listen, make, text, word } from "/assets/app.js";
import { Board } from "/assets/board.js";

const wall = document.getElementById("wall");
const running = document.getElementById("running");
const ended = document.getElementById("ended");
const cards = new Map();
/** The number of finished games that are shown. */
const KEPT = 12;

function blank({ size, discs }) {
  const place = make("div", { class: "place" });
  const [names, how] = [make("p", { class: "names" }), make("p", { class: "how" })];
  const link = make("a", { class: "card" }, place, names, how);
  return { link, names, how, board: new Board(place, { size, discs, small: true }) };
}

function show(game) {
  const isNew = !cards.has(game.id);
  const card = cards.get(game.id) ?? blank(game);
  const { link, names, how, board } = card;
  if (isNew) {
    cards.set(game.id, card);
    link.dataset.game = game.id;
    names.replaceChildren(...["black", "white"].map((side, at) => make("span", {}, make("span", { class: `side ${side}` }), ` ${game.players[at]}`)));
  }
  board.show({ stones: game.stones, last: game.last ?? undefined });
  how.textContent = game.over ? `${game.over.points} · ${word("reason", game.over.reason)}` : text("live.plies", { plies: game.number });
  const isOver = Boolean(game.over);
  if (!isNew && isOver === card.over) return;
  card.over = isOver;
  link.href = `${isOver ? wall.dataset.recorded : wall.dataset.base}${game.id}`;
  link.classList.toggle("over", isOver);
  if (isOver) ended.prepend(link);
  else running.append(link);
}

function remove(id) {
  cards.get(id).link.remove();
  cards.delete(id);
}

/** Removes all finished games except the latest. */
function tidy() {
  for (const link of [...ended.children].slice(KEPT)) remove(Number(link.dataset.game));
  // If the page shows only finished games, its own title is enough.
  document.getElementById("ended-title").hidden = !ended.children.length || Boolean(wall.dataset.latest);
}

/** Shows the latest games of a record after a change. */
async function latest() {
  const answer = await fetch(wall.dataset.latest);
  if (!answer.ok) return;
  for (const game of (await answer.json()).reverse()) show(game);
  tidy();
}

if (wall?.dataset.latest) {
  listen(wall.dataset.events, { now: latest });
} else if (wall) {
  listen(wall.dataset.events, {
    wall: (now) => {
      const still = new Set(now.running);
      const gone = [...cards].filter(([id, card]) => !card.over && !still.has(id)).map(([id]) => id);
      const finished = now.cards.filter((game) => game.over);
      const ends = new Set(finished.map((game) => game.id));
      for (const id of gone) if (!ends.has(id)) remove(id);
      now.cards.forEach(show);
      tidy();
      const counts = { running: now.running.length, finished: now.finished };
      document.getElementById("state").textContent = text(now.over ? "live.ended" : "live.state", counts);
      document.getElementById("report").hidden = !now.over;
    },
  });
}
