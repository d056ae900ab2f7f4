// Replaces part of a page with a new copy from the server. Keeps opened details, typed text and the focus.

import { connected } from "/assets/app.js";
import { Board } from "/assets/board.js";

/** Draws the boards whose stones are in the page. */
export function boards(root) {
  for (const place of root.querySelectorAll(".place[data-stones]")) {
    const { size, discs, stones, last } = place.dataset;
    const board = new Board(place, { size: Number(size), discs: discs === "true", small: true });
    board.show({ stones, last: last ? Number(last) : undefined });
  }
}

function replace(root, fresh) {
  const controls = () => [...root.querySelectorAll("a, button, summary, [tabindex]")];
  const focused = controls().indexOf(document.activeElement);
  const typing = document.activeElement?.closest("form");
  for (const part of fresh.children) {
    const form = part.querySelector("form");
    // Keeps a form of filters while the user changes it.
    if (typing && form) form.replaceWith(typing);
  }
  const open = [...root.querySelectorAll("details")].map((one) => one.open);
  root.replaceChildren(...fresh.children);
  root.querySelectorAll("details").forEach((one, index) => (one.open = open[index] ?? false));
  for (const [name, value] of Object.entries(fresh.dataset)) root.dataset[name] = value;
  if (!("every" in fresh.dataset)) delete root.dataset.every;
  boards(root);
  controls()[focused]?.focus({ preventScroll: true });
}

let moved = -Infinity;
document.addEventListener("pointermove", () => (moved = performance.now()), { passive: true });

/** Waits while the user points at something in this element, which then must not move. */
export async function still(root) {
  const isAimed = () => root.matches(":hover") && performance.now() - moved < 1500;
  const isPointed = () => matchMedia("(hover: hover)").matches && root.querySelector(":is(a:not(.card), button:enabled, summary, select):hover");
  while (isAimed() || isPointed()) await new Promise((resolve) => setTimeout(resolve, 200));
}

const shown = new WeakMap();

/** Replaces an element that has an id with the server's current version. Returns whether the element has changed. */
export async function refresh(root, url = location.href) {
  try {
    const answer = await fetch(url);
    connected(root, true);
    if (!answer.ok) return false;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = page.getElementById(root.id);
    if (!fresh || shown.get(root) === fresh.outerHTML) return false;
    shown.set(root, fresh.outerHTML);
    replace(root, fresh);
    return true;
  } catch {
    connected(root, false);
    return false;
  }
}
