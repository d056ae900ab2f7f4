// The page of a recorded game, or of a game that the arena is playing.

import { inWords, listen, make, say, text } from "/assets/app.js";
import { Viewer } from "/assets/viewer.js";

const page = document.getElementById("game").dataset;
const viewer = new Viewer();
const number = Number(page.number);

async function load() {
  const answer = await fetch(page.data);
  if (answer.ok) viewer.update(await answer.json());
}

await load();

if (page.events) {
  // For measurements: the ends of moves, and the delays until their display, in ms.
  window.arenaLatencies = [];
  // Events that arrive while the game is being fetched wait here.
  let waiting = null;
  const again = async () => {
    if (waiting) return;
    waiting = [];
    await load();
    const kept = waiting;
    waiting = null;
    kept.forEach(plies);
  };
  const plies = (received) => {
    if (waiting) {
      waiting.push(received);
      return;
    }
    if (!viewer.view || !viewer.append(received.frames, received.number)) {
      again();
      return;
    }
    requestAnimationFrame(() => received.at.forEach((at) => window.arenaLatencies.push([at, Date.now() - at])));
  };
  // The record has a game shortly after the game's end.
  const recorded = async (attempts) => {
    try {
      const answer = await fetch(`/run/${encodeURIComponent(page.run)}/data/${number}`);
      if (answer.ok) viewer.update(await answer.json());
      else if (attempts) setTimeout(() => recorded(attempts - 1), 200);
    } catch {
      say(text("said.lost"));
    }
  };
  const close = listen(page.events, {
    // A page that has just fetched the game knows this number of positions.
    all: (now) => now?.number === viewer.view?.frames.length || again(),
    plies,
    finished: ({ over }) => {
      // No more events follow. The fetched record is complete, and has the half-moves that the page missed.
      close();
      if (viewer.view && over) {
        viewer.view.over = over;
        viewer.render();
      }
      recorded(5);
      const next = make("a", { class: "button small", id: "next-live", href: "/live/next" }, text("live.next"));
      document.getElementById("result").after(next);
    },
    void: ({ why }) => say(text("said.void", { how: inWords(why) })),
  });
}
