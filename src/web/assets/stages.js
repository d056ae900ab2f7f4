// The list of stages: each has a board, and a button that begins the stage.

import { post, text } from "/assets/app.js";
import { boards } from "/assets/fresh.js";

const fields = document.getElementById("stages-form").elements;
const chosen = (select) => (select.value === "" ? null : Number(select.value));

boards(document);

document.getElementById("stages").addEventListener("click", async ({ target }) => {
  if (target.dataset.stage === undefined) return;
  target.disabled = true;
  const { ok, data } = await post("/play", {
    game: "gomoku",
    rules: null,
    size: null,
    seats: [chosen(fields.attacker), chosen(fields.defender)],
    move_ms: Number(fields.time.value),
    stage: Number(target.dataset.stage),
  });
  target.disabled = false;
  if (ok) location.href = data.page;
  else document.getElementById("message").textContent = data?.why ?? text("said.lost");
});
