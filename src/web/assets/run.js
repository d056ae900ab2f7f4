// A run: requests the tables again from the server when the run has changed.

import { listen, post, text } from "/assets/app.js";
import { boards, refresh } from "/assets/fresh.js";

const run = document.getElementById("run");
let busy = false;
let again = false;

async function renew() {
  if (busy) {
    again = true;
    return;
  }
  busy = true;
  await refresh(run);
  busy = false;
  if (again) {
    again = false;
    renew();
  }
}

// The time between two checks for finished analyses, in ms.
const POLL = 1000;

function follow() {
  if (run.querySelector("#tutor[data-waiting]")) setTimeout(() => renew().then(follow), POLL);
}

run.addEventListener("click", async ({ target }) => {
  if (target.id !== "analyse") return;
  target.disabled = true;
  const { ok, data } = await post(`${run.dataset.events.replace(/events$/, "")}analysis`, {});
  if (ok) await renew();
  else document.getElementById("tutor-said").textContent = data?.why ?? text("said.lost");
  follow();
});

follow();
boards(run);
listen(run.dataset.events, {
  now: (now) => {
    const reading = run.querySelector(".note[role=status]");
    const isNew = ["version", "here", "played"].some((name) => String(now[name]) !== run.dataset[name]);
    if (isNew || (reading && now.complete) || now.error) renew();
  },
});
