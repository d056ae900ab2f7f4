// A run: the server makes its tables again when the run has changed.

import { listen } from "/assets/app.js";

const run = document.getElementById("run");
let busy = false;
let again = false;

async function refresh() {
  if (busy) {
    again = true;
    return;
  }
  busy = true;
  try {
    const answer = await fetch(location.href);
    if (answer.ok) take(await answer.text());
  } catch {
    // The stream begins again once the arena answers.
  }
  busy = false;
  if (again) {
    again = false;
    refresh();
  }
}

/** Shows the tables of a page that the server has made. */
function take(page) {
  const fresh = new DOMParser().parseFromString(page, "text/html").getElementById("run");
  const typing = document.activeElement?.closest("form");
  // A filter that the user is choosing from is kept.
  for (const part of fresh.children) {
    const form = part.querySelector("form");
    if (typing && form) form.replaceWith(typing);
  }
  const open = [...run.querySelectorAll("details")].map((one) => one.open);
  run.replaceChildren(...fresh.children);
  run.querySelectorAll("details").forEach((one, index) => (one.open = open[index] ?? false));
  for (const name of ["version", "here"]) run.dataset[name] = fresh.dataset[name];
}

listen(run.dataset.events, {
  now: (now) => {
    const reading = run.querySelector(".note[role=status]");
    const isNew = ["version", "here"].some((name) => String(now[name]) !== run.dataset[name]);
    if (isNew || (reading && now.complete) || now.error) refresh();
  },
});
