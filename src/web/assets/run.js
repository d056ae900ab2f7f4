// A run: its tables are made again by the server when something is new.

import { listen, text } from "/assets/app.js";

const run = document.getElementById("run");
let version = Number(run.dataset.version);
let busy = false;
let again = false;

async function refresh() {
  if (busy) {
    again = true;
    return;
  }
  busy = true;
  const answer = await fetch(location.href);
  if (answer.ok) {
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("run");
    const typing = document.activeElement?.closest("form");
    // A filter that somebody is choosing in stays as it is.
    for (const part of fresh.children) {
      const form = part.querySelector("form");
      if (typing && form) form.replaceWith(typing);
    }
    const open = [...run.querySelectorAll("details")].map((one) => one.open);
    run.replaceChildren(...fresh.children);
    run.querySelectorAll("details").forEach((one, index) => (one.open = open[index] ?? false));
    version = Number(fresh.dataset.version);
  }
  busy = false;
  if (again) {
    again = false;
    refresh();
  }
}

listen(run.dataset.events, {
  now: (now) => {
    const reading = run.querySelector(".note[role=status]");
    if (now.version !== version || (reading && now.complete) || now.error) refresh();
  },
  lost: () => (document.getElementById("said").textContent = text("said.lost")),
});
