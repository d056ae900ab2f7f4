// The functions of all pages: texts, POST, streams, theme and language.

import "/assets/message.js";
import { get, keep } from "/assets/source.js";

const language = await get(`/texts/${document.documentElement.lang}`);
export const texts = language.texts;

/** Writes a message in the page's language. */
export const inWords = globalThis.renderer(language.messages);

/** Returns the text of a key, with values for the names in braces. */
export const text = (key, values) => inWords({ text: texts[key] ?? key, values });

/** Returns the text for a word of the record; the word itself if there is no such text. */
export const word = (kind, name) => texts[`${kind}.${name}`] ?? name;

/** Joins the parts that are not empty with commas of the page's language. */
export const enumerated = (parts) => parts.filter(Boolean).reduce((all, part) => all && inWords({ text: "{}, {}", values: { 0: all, 1: part } }) || part, "");

/** Replaces `you`, the recorded name of the person, by the text in the page's language. */
export function named(view) {
  view.players = view.players.map((name) => (name === "you" ? text("stages.you") : name));
  return view;
}

/** Creates an element with attributes and children; texts become text nodes, never HTML. */
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(key, value);
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** Creates an SVG element with attributes and children. */
export function draw(name, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== null) element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

/** Shows a text in the corner of the page, and announces it to screen readers. */
export function say(what) {
  const place = document.getElementById("said");
  place.textContent = what;
  clearTimeout(say.later);
  say.later = setTimeout(() => (place.textContent = ""), 5000);
}

/** Sends JSON or a file with the page's token; returns the answer's status, and its JSON if there is any. */
export async function post(url, body = {}) {
  const isFile = body instanceof Blob;
  const token = document.querySelector('meta[name="arena-token"]').content;
  try {
    const answer = await fetch(url, {
      method: "POST",
      headers: { "content-type": isFile ? "application/octet-stream" : "application/json", "x-arena-token": token },
      body: isFile ? body : JSON.stringify(body),
    });
    const said = await answer.text();
    let data = null;
    try {
      data = said ? JSON.parse(said) : null;
    } catch {
      data = { why: said };
    }
    if (data?.why) data.why = inWords(data.why);
    return { ok: answer.ok, data };
  } catch {
    return { ok: false, data: { why: text("said.lost") } };
  }
}

/** Sends a request, and opens the page that the answer names. Otherwise, passes the reason to `refused`. */
export async function openPage(url, body, refused = say) {
  const { ok, data } = await post(url, body);
  if (ok) location.href = data.page;
  else refused(data?.why ?? text("said.lost"));
}

/** The number of failed attempts to connect after which a stream counts as lost. */
const ATTEMPTS = 2;
/** The time in ms after which the page connects again, if the browser does not try again itself. */
const PAUSE = 3000;
/** The streams without a connection. The page shows a note while there is such a stream. */
const lost = new Set();

/** Records whether a stream, or another source that the page fetches repeatedly, has a connection. */
export function connected(stream, isConnected) {
  if (isConnected) lost.delete(stream);
  else lost.add(stream);
  document.getElementById("lost").hidden = !lost.size;
}

/**
 * Listens to a stream of events while the page is visible: a hidden tab has no connection. `on` has a
 * function for each event. Each connection begins with the complete state.
 */
export function listen(url, on) {
  let source = null;
  let failed = 0;
  let later = null;
  const open = () => {
    if (source || document.hidden) return;
    source = new EventSource(url);
    for (const [name, heard] of Object.entries(on)) {
      source.addEventListener(name, (event) => heard(JSON.parse(event.data)));
    }
    source.onopen = () => {
      failed = 0;
      connected(on, true);
    };
    source.onerror = () => {
      failed += 1;
      if (failed >= ATTEMPTS) connected(on, false);
      if (source?.readyState !== EventSource.CLOSED) return;
      source = null;
      later = setTimeout(open, PAUSE);
    };
  };
  const close = () => {
    source?.close();
    source = null;
    clearTimeout(later);
    failed = 0;
    connected(on, true);
  };
  document.addEventListener("visibilitychange", () => (document.hidden ? close() : open()));
  window.addEventListener("pagehide", close);
  open();
  return close;
}

/** Copies a text and shows whether that worked. */
export async function copy(what) {
  try {
    await navigator.clipboard.writeText(what);
    say(text("said.copied"));
  } catch {
    say(text("said.not-copied"));
  }
}

// A button copies the text before it.
document.addEventListener("click", ({ target }) => {
  if (target.closest("[data-copy]")) copy(target.previousElementSibling.textContent);
});

/** The buttons of the keys that step through a game. */
export const STEPS = { ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last" };

/** Clicks the button of each pressed key, until `signal` is aborted. */
export function pressed(buttons, signal) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !buttons[event.key]) return;
    if (event.target.closest("input, select, textarea, .scroll")) return;
    event.preventDefault();
    document.getElementById(buttons[event.key]).click();
  }, { signal });
}

/** Formats a number in few characters. */
export function short(number) {
  if (number === null || number === undefined) return "";
  const steps = [[1e9, "G"], [1e6, "M"], [1e3, "k"]];
  for (const [unit, name] of steps) {
    if (Math.abs(number) >= unit) return `${(number / unit).toFixed(1)} ${name}`;
  }
  return String(Math.round(number * 100) / 100);
}

export function time(ms) {
  if (ms === null || ms === undefined) return "";
  if (ms < 1000) return `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;
  if (ms < 60000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.floor(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

export const score = (value) => (value === null || value === undefined ? "" : `${value > 0 ? "+" : ""}${Math.round(value * 100) / 100}`);

document.getElementById("theme").addEventListener("click", () => {
  const root = document.documentElement;
  const dark = root.dataset.theme
    ? root.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  keep("theme", root.dataset.theme);
});
document.getElementById("language").addEventListener("click", (event) => keep("lang", event.currentTarget.dataset.code));
// Tests wait for this: from now on, the page handles events.
document.documentElement.dataset.ready = "true";
