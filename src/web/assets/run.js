// A run: the server makes its tables again when the run has changed.

import { listen } from "/assets/app.js";
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

boards(run);
listen(run.dataset.events, {
  now: (now) => {
    const reading = run.querySelector(".note[role=status]");
    const isNew = ["version", "here"].some((name) => String(now[name]) !== run.dataset[name]);
    if (isNew || (reading && now.complete) || now.error) renew();
  },
});
