// A game with a person: clicks become moves. The server knows the legal moves.

import { listen, make, openPage, post, say, score, text, time, word } from "/assets/app.js";
import { nameOf } from "/assets/board.js";
import { Viewer } from "/assets/viewer.js";

const page = document.getElementById("game").dataset;
const byId = (id) => document.getElementById(id);
const viewer = new Viewer({ pick, stepped: () => says() });
let state = null;
let tapped = null;
let since = 0;
/** From this size on, squares are too small for a finger. */
const LARGE = 13;
byId("play").hidden = false;

async function pick(at) {
  if (!state) return;
  if (!viewer.isLast()) viewer.go(Infinity);
  const square = nameOf(at, state.view.size);
  if (byId("confirm").checked && tapped !== at) {
    tap(at);
    const sure = make("button", { type: "button", class: "main", click: () => pick(at) }, text("said.play", { square }));
    byId("message").replaceChildren(text("said.tap", { square }), " ", sure);
    return;
  }
  tap(null);
  await put(square);
}

/** Remembers the square of a first tap. On a large board, shows this square and its neighbours enlarged. */
function tap(at) {
  tapped = at;
  if (state.view.size >= LARGE) viewer.board.enlarge(at);
}

async function put(played) {
  const { ok, data } = await post(`${page.base}/move`, { played });
  if (!ok) refused(data?.why ?? text("said.lost"));
}

/** Shows why a move was refused, with the words that an opening allows instead. */
function refused(why) {
  const { opening } = state.view.frames.at(-1);
  if (state.asked !== null && opening?.words.length) byId("message").replaceChildren(why, " ", ...decision(opening));
  else message(why);
}

const message = (what) => byId("message").replaceChildren(what);

function beep() {
  if (!byId("sound").checked) return;
  const context = new AudioContext();
  const tone = context.createOscillator();
  tone.frequency.value = 520;
  tone.connect(context.destination);
  tone.start();
  tone.stop(context.currentTime + 0.06);
}

const open = (url, body) => openPage(url, body, message);

function show(now) {
  const before = state;
  state = now;
  since = performance.now() - now.since_ms;
  viewer.asked = now.asked !== null;
  viewer.marks = null;
  viewer.update(now.view);
  if (!before) {
    byId("confirm").checked = now.view.size >= LARGE && matchMedia("(pointer: coarse), (max-width: 560px)").matches;
    if (!now.over) viewer.board.take();
  } else if (tapped !== null) tap(null);
  const frames = now.view.frames;
  const last = frames.at(-1);
  if (before && frames.length > before.view.frames.length && last.played) {
    beep();
    say(text("said.moved", { name: now.view.players[last.player ?? last.by], move: last.played }));
  }
  byId("back").disabled = !now.can_take_back && !now.over;
  byId("hint").disabled = now.asked === null || Boolean(last.opening);
  byId("resign").disabled = now.asked === null;
  says();
}

const turn = () => text("said.your-turn", { side: text(state.asked === 0 ? "side.black" : "side.white") });

/** Shows whose turn it is, or how to continue. */
function says() {
  if (!state) return;
  if (state.failed) {
    message(text("said.failed", { why: state.failed }));
    return;
  }
  if (state.over) {
    if (!state.again) {
      byId("message").replaceChildren(make("a", { class: "button", href: "/play" }, text("said.again")));
      return;
    }
    const again = make("button", { type: "button", click: () => open(`${page.base}/again`, {}) }, text("said.again"));
    const swap = make("button", { type: "button", click: () => open(`${page.base}/again`, { swap: true }) }, text("said.swap"));
    const others = make("a", { class: "button", href: byId("play-on").href }, text("said.new-bot"));
    const faulty = (state.view.over?.faults.length ?? 0) > 0;
    byId("message").replaceChildren(again, " ", swap, ...(faulty ? [" ", others] : []));
    return;
  }
  if (!viewer.isLast()) {
    message(text("said.looks-back"));
    return;
  }
  const to = state.view.frames.at(-1).to;
  const { opening } = state.view.frames.at(-1);
  if (state.asked !== null && opening) byId("message").replaceChildren(...decision(opening));
  else if (state.asked !== null) message(turn());
  else message(`${text("said.thinking", { name: state.view.players[to] })} · ${time(performance.now() - since)}`);
}

/** Returns the decision that an opening rule asks for, with a button for each word. Keys 1 to 9 choose the words, too. */
function decision({ ask, words, stone, offered, fifths }) {
  const side = (index) => text(index === 0 ? "side.black" : "side.white");
  const values = { you: side(state.asked), stone: side(stone), number: offered.length + 1, count: fifths };
  const buttons = words.map((said, index) => make("button", { type: "button", click: () => put(said) }, `${index + 1} ${word("choice", said)}`));
  return [text(`ask.${ask}`, values), ...buttons.flatMap((button) => [" ", button])];
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea")) return;
  const words = state?.asked === null ? [] : (state?.view.frames.at(-1).opening?.words ?? []);
  const said = words[Number(event.key) - 1];
  if (said) put(said);
});

async function hint() {
  byId("hint").disabled = true;
  const { ok, data } = await post(`${page.base}/hint`);
  byId("hint").disabled = state?.asked === null;
  if (!ok || !data?.length) return;
  const best = data.reduce((a, b) => (b.rank > a.rank ? b : a));
  const shown = (worth) => {
    if (worth.forced !== null) return worth.forced > 0 ? `#${worth.forced}` : `-#${-worth.forced}`;
    return Math.abs(worth.score) >= 100 ? String(Math.round(worth.score)) : score(Math.round(worth.score * 10) / 10);
  };
  viewer.marks = new Map(data.map((worth) => [worth.square, { text: shown(worth), best: worth === best }]));
  viewer.render();
  const square = nameOf(best.square, state.view.size);
  const forced = best.forced === null ? "" : ` · ${text(best.forced > 0 ? "said.wins-in" : "said.loses-in", { plies: Math.abs(best.forced) })}`;
  message(`${turn()} · ${text("said.best", { square })}${forced}`);
}

byId("back").addEventListener("click", async () => {
  // A finished game stays in the record, so the person continues in a new game from an earlier position.
  if (state.over) {
    const people = state.people;
    const frames = state.view.frames;
    let ply = frames.length - 1;
    while (ply > 0 && !(people[frames[ply].player ?? frames[ply].by] && frames[ply].thought && !frames[ply].thought.forced)) ply -= 1;
    if (ply > 0) await open(`${page.base}/again`, { ply: ply - 1 });
    return;
  }
  const { ok, data } = await post(`${page.base}/back`);
  if (!ok) message(data?.why ?? text("said.lost"));
});
byId("hint").addEventListener("click", hint);
byId("resign").addEventListener("click", () => {
  const sure = make("button", { type: "button", id: "sure", click: () => put("resign") }, text("play.resign"));
  byId("message").replaceChildren(text("said.resign"), " ", sure);
  sure.focus();
});
byId("restart").addEventListener("click", () => {
  location.href = "/play";
});
setInterval(() => state && !state.over && state.asked === null && says(), 200);
listen(page.events, { now: show });
