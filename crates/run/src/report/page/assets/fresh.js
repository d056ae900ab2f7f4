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

let pointer = { timeStamp: -Infinity };
document.addEventListener("pointermove", (event) => (pointer = event), { passive: true });

/** Waits while the user points at something in this element, or moves the pointer there. */
async function still(root) {
  const isMoving = () => root.matches(":hover") && performance.now() - pointer.timeStamp < 1500;
  // After a touch, the browser keeps `:hover`.
  const isPointing = () => pointer.pointerType === "mouse" && root.querySelector(":is(a:not(.card), button:enabled, summary, select):hover");
  while (isMoving() || isPointing()) await new Promise((resolve) => setTimeout(resolve, 200));
}

const shown = new WeakMap();

/**
 * Replaces an element that has an id with the server's current version. Returns whether the element has changed. Unless the
 * user has `asked` for the new version, it comes when the user points at nothing in the element.
 */
export async function refresh(root, asked = false) {
  try {
    const answer = await fetch(location.href);
    connected(root, true);
    if (!answer.ok) return false;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = page.getElementById(root.id);
    if (!fresh || shown.get(root) === fresh.outerHTML) return false;
    if (!asked) await still(root);
    shown.set(root, fresh.outerHTML);
    replace(root, fresh);
    return true;
  } catch {
    connected(root, false);
    return false;
  }
}
