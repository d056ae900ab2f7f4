// A recorded game, or one that is being played here.

import { listen, say, text } from "/assets/app.js";
import { Viewer } from "/assets/viewer.js";

const page = document.getElementById("game").dataset;
const viewer = new Viewer();
const number = Number(page.number);

async function load(ply) {
  const answer = await fetch(page.data);
  if (answer.ok) viewer.view ? viewer.update(await answer.json()) : viewer.open(await answer.json(), ply);
  return answer.ok;
}

await load(page.ply === "" ? undefined : Number(page.ply));

if (page.events) {
  // How late half-moves arrive, in ms: for measuring.
  window.arenaLatencies = [];
  listen(page.events, {
    all: () => load(),
    ply: ({ id, number: ply, frame, told }) => {
      if (id !== number || !viewer.view) return;
      if (!viewer.append(frame, ply)) load();
      requestAnimationFrame(() => window.arenaLatencies.push(Date.now() - told));
    },
    finished: ({ card, over }) => {
      if (card.id !== number) return;
      viewer.view.over = over;
      viewer.render();
      // The record has the whole of it, half-moves that were missed, too.
      fetch(`/run/${encodeURIComponent(page.run)}/data/${number}`).then(async (answer) => {
        if (answer.ok) viewer.update(await answer.json());
      }).catch(() => say(text("live.ended")));
    },
    void: ({ id, why }) => id === number && say(text("said.void", { how: why })),
    lost: () => say(text("said.lost")),
  });
}
