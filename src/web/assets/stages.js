// The list of stages: each has a board, and a button that begins the stage.

import { openPage } from "/assets/app.js";
import { boards } from "/assets/fresh.js";

const fields = document.getElementById("stages-form").elements;
const chosen = (select) => (select.value === "" ? null : Number(select.value));

boards(document);

document.getElementById("stages").addEventListener("click", async ({ target }) => {
  if (target.dataset.stage === undefined) return;
  target.disabled = true;
  await openPage("/play", {
    game: "gomoku",
    rules: null,
    size: null,
    seats: [chosen(fields.attacker), chosen(fields.defender)],
    move_ms: Number(fields.time.value),
    stage: Number(target.dataset.stage),
  }, (why) => (document.getElementById("message").textContent = why));
  target.disabled = false;
});
