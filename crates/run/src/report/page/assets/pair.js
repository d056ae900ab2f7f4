// The two games of a pair, shown side by side at the same half-move.

import { make, pressed, score, STEPS, text, time, word } from "/assets/app.js";
import { Board, positions } from "/assets/board.js";
import { get } from "/assets/source.js";

const byId = (id) => document.getElementById(id);

/** Shows the pair on the page until `signal` is aborted. */
export async function mirror(signal) {
  const opening = Number(byId("pair").dataset.opening);
  const halves = await Promise.all([...document.querySelectorAll(".half")].map(async (place) => {
    const view = await get(place.dataset.url);
    return { place, view, stones: positions(view), board: new Board(place.querySelector(".place"), { size: view.size, discs: view.discs, small: true }) };
  }));
  const last = Math.max(...halves.map(({ stones }) => stones.length - 1));
  const [first, second] = halves.map(({ view }) => view.frames.map((frame) => frame.played));
  const parts = first.findIndex((played, ply) => ply > 0 && played !== second[ply]);
  let ply = opening;

  function show() {
    for (const { place, view, stones, board } of halves) {
      const at = Math.min(ply, stones.length - 1);
      const frame = view.frames[at];
      const over = view.over && at === stones.length - 1;
      board.show({ stones: stones[at], last: frame.at, line: over ? view.over.line : [] });
      [0, 1].forEach((side) => {
        const count = [...stones[at]].filter((stone) => stone === (side === 0 ? "X" : "O")).length;
        const panel = place.querySelector(side === 0 ? ".bottom" : ".top");
        const name = make("strong", {}, view.players[side]);
        panel.replaceChildren(make("span", { class: `side ${side === 0 ? "black" : "white"}`, role: "img", "aria-label": text(side === 0 ? "side.black" : "side.white") }), name, view.discs ? make("span", { class: "count" }, String(count)) : "");
        panel.classList.toggle("to-move", frame.to === side && !over);
      });
      const reported = frame.thought;
      const parted = at === parts ? " ≠" : "";
      const facts = reported && !reported.forced ? [score(reported.score), time(reported.wall)].filter(Boolean).join(", ") : "";
      const winner = over ? (view.over.winner === null ? text("said.drawn", { how: word("reason", view.over.reason) }) : text("said.won", { name: view.players[view.over.winner], how: word("reason", view.over.reason) })) : "";
      place.querySelector(".told").textContent = over ? winner : frame.played ? `${at}. ${frame.played}${parted} ${facts}` : text("ply.start");
    }
    byId("where").textContent = text("ply.at", { ply, plies: last });
    for (const [id, off] of [["first", ply === 0], ["previous", ply === 0], ["next", ply === last], ["last", ply === last]]) byId(id).disabled = off;
  }

  function go(to) {
    ply = Math.min(last, Math.max(0, to));
    show();
  }

  const points = new Map();
  for (const { view } of halves) {
    view.players.forEach((name, side) => {
      const own = !view.over || view.over.reason === "void" ? 0 : view.over.winner === null ? (view.over.reason === "both-failed" ? 0 : 0.5) : view.over.winner === side ? 1 : 0;
      points.set(name, (points.get(name) ?? 0) + own);
    });
  }
  const sums = [...points].map(([name, sum]) => text("pair.points", { name, points: sum }));
  byId("verdict").textContent = `${parts < 0 ? text("pair.never") : text("pair.part-at", { ply: parts })} ${sums.join(" · ")}`;
  byId("parts").hidden = parts < 0;
  for (const [id, does] of [["first", () => go(0)], ["previous", () => go(ply - 1)], ["next", () => go(ply + 1)], ["last", () => go(last)], ["parts", () => go(parts)]]) byId(id).addEventListener("click", does);
  pressed(STEPS, signal);
  show();
}

if (byId("pair")) mirror();
