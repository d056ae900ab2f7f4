// A game on the page: board, graphs, thoughts, moves, keys. Pages of recorded, running and people's games use this.

import { Analysis, analyse, worthText } from "/assets/analysis.js";
import { copy, enumerated, inWords, make, named, openPage, post, pressed, say, score, short, STEPS, text, time, word } from "/assets/app.js";
import { Board, positions, squareOf } from "/assets/board.js";
import { Evaluation, ofWorth, scoreText, valueText } from "/assets/evaluation.js";
import { saveGif, savePng, saveSgf, saveSvg } from "/assets/export.js";
import { Graphs } from "/assets/graphs.js";

const byId = (id) => document.getElementById(id);
/** Writes a colon as the language does. */
const colon = (name) => inWords({ text: "{}: ", values: { 0: name } });
/** Shows a text and the command to which it leads, with a button that copies the command. */
const command = (key, line) => [text(key), text(key).endsWith("：") ? "" : " ", make("code", {}, line), " ", make("button", { type: "button", class: "small", "data-copy": true }, text("home.copy"))];
/** Time in ms until the next request for an analysis while a run uses the machine. */
const PAUSE = 5000;

/** Describes the time limits of a side. */
function terms(limits) {
  if (!limits) return "";
  const { move_ms, game_ms, increment_ms, period_moves } = limits;
  const own = game_ms ? text(period_moves ? "clock.period" : "clock.game", { time: time(game_ms), moves: period_moves }) : "";
  const more = game_ms && increment_ms ? text("clock.increment", { time: time(increment_ms) }) : "";
  const each = move_ms ? text("clock.move", { time: `${move_ms / 1000} s` }) : "";
  return enumerated([own, more, each]);
}

export class Viewer {
  /**
   * `pick` is called with a chosen square, `stepped` after each step. `signal` ends the viewer. `asked` is true while a
   * person may play.
   */
  constructor({ pick = null, stepped, signal } = {}) {
    this.page = byId("game").dataset;
    this.pick = pick;
    this.stepped = stepped;
    this.asked = false;
    this.marks = null;
    this.ghosts = null;
    this.analysis = null;
    this.judged = null;
    this.graphs = new Graphs(byId("graphs"), (ply) => this.go(ply));
    this.buttons();
    this.tabs();
    this.signal = signal;
    signal?.addEventListener("abort", () => this.autoplay(false));
  }

  /** Shows a game at half-move `ply`, or at its end. If `ply` is `lost`, shows the move that lost, once it is known. */
  open(view, ply) {
    this.opens = ply === "lost";
    this.best = [];
    if (!this.view) pressed({ ...STEPS, p: "autoplay", f: "flip", t: "turning", T: "before-turning" }, this.signal);
    this.view = named(view);
    this.analysis = view.analysis ? new Analysis(view.analysis) : null;
    // Tests read this.
    window.arenaGame = view;
    this.stones = positions(view);
    this.board ??= new Board(byId("board"), { size: view.size, discs: view.discs, pick: this.pick });
    this.ply = view.frames.length - 1;
    if (ply >= 0) this.ply = Math.min(ply, this.ply);
    const other = view.discs ? ".of-gomoku" : ".of-othello";
    for (const link of document.querySelectorAll(other)) link.hidden = true;
    this.draw();
  }

  /** Shows the same game after further moves, or after a move was taken back. */
  update(view) {
    if (!this.view) {
      this.open(view, this.page.ply || location.hash.slice(1) || undefined);
      return;
    }
    const wasLast = this.isLast() || this.ply >= view.frames.length;
    this.view = named(view);
    window.arenaGame = view;
    this.stones = positions(view);
    if (wasLast) this.ply = view.frames.length - 1;
    this.ghosts = null;
    // If the game has changed, its analysis is out of date.
    if (view.frames.length !== this.judged) this.analysis = null;
    this.draw();
  }

  /** Shows the game after it has changed, and requests the analysis of a finished game. */
  draw() {
    this.evaluation = new Evaluation(this.view, this.analysis);
    this.lost = this.decisive();
    this.listMoves();
    this.graphs.show(this.view, this.analysis, this.evaluation);
    this.renderLost();
    const isOver = !this.page.events || this.view.over;
    if (isOver && byId("analyse") && !this.view.analysis && this.judged !== this.view.frames.length) this.analyse(true);
  }

  /**
   * Adds half-moves of a running game; the first has the number `number`. A user who looks at an earlier half-move
   * stays there.
   */
  append(frames, number) {
    const known = this.view.frames.length;
    if (number > known) return false;
    const wasLast = this.isLast();
    this.view.frames.push(...frames.slice(known - number));
    this.stones = positions(this.view);
    if (wasLast) this.ply = this.view.frames.length - 1;
    this.evaluation = new Evaluation(this.view, this.analysis);
    this.listMoves();
    this.render();
    // The board is drawn at once. The graphs may be a few moves late.
    this.later ??= setTimeout(() => {
      this.later = null;
      this.graphs.show(this.view, this.analysis, this.evaluation);
      this.graphs.at(this.ply);
    }, 120);
    return true;
  }

  isLast() {
    return this.ply === this.view.frames.length - 1;
  }

  /** Goes to a half-move that a person chose. */
  go(ply) {
    this.autoplay(false);
    this.step(ply);
  }

  step(ply) {
    this.opens = false;
    this.best = [];
    this.ghosts = null;
    this.marks = null;
    this.ply = Math.min(this.view.frames.length - 1, Math.max(0, ply));
    this.render();
    byId("stepped").textContent = this.moveText();
    this.stepped?.();
  }

  /** Plays the game from the shown half-move on, or from the start if the end is shown. */
  autoplay(on) {
    clearInterval(this.playing);
    this.playing = null;
    byId("autoplay").setAttribute("aria-pressed", on);
    if (!on) return;
    if (this.isLast()) this.step(0);
    const next = () => {
      this.step(this.ply + 1);
      if (this.isLast()) this.autoplay(false);
    };
    this.playing = setInterval(next, Number(byId("speed").value));
  }

  /** Returns the half-move in words, such as `31. a5, white`. */
  moveText() {
    if (this.ply === 0) return text("ply.start");
    const { by } = this.view.frames[this.ply];
    const mark = this.analysis?.mark(this.ply);
    const move = text("ply.move", { ply: this.ply, move: this.nameOfMove(this.ply), side: text(by === 0 ? "board.black" : "board.white") });
    return mark ? `${move}, ${text(`mark.${mark}`)}` : move;
  }

  nameOfMove(ply) {
    const { played, said = [] } = this.view.frames[ply];
    // In an opening by a rule, a stone is followed by the words that players said after it.
    const words = said.map((one) => ` ${word("choice", one)}`).join(",");
    return (played === "pass" ? text("ply.pass") : played) + words;
  }

  render() {
    const { view, ply } = this;
    const frame = view.frames[ply];
    const stones = this.ghosts ? this.stones[this.ghosts.from] : this.stones[ply];
    const legal = this.legal(frame, stones);
    const over = view.over && this.isLast();
    const better = this.ghosts || this.asked || this.marks ? null : this.better();
    this.board.show({
      stones,
      last: this.ghosts ? undefined : frame.at,
      flips: this.ghosts ? [] : frame.flips ?? [],
      legal: this.ghosts ? null : legal,
      // A better move belongs to the player of the last half-move, the legal squares to the other one.
      hint: byId("legal").checked && better === null && !(this.asked && !this.isLast()),
      few: Boolean(frame.opening) && legal !== null && legal.size < 100,
      forbidden: this.ghosts || !byId("legal").checked ? null : new Map(frame.forbidden ?? []),
      line: over && !this.ghosts ? view.over.line : [],
      numbers: byId("numbers").checked ? this.numbers() : null,
      ghosts: this.ghosts?.stones,
      marks: this.marks ?? this.offered(frame),
      better,
      to: frame.opening?.stone ?? frame.to,
      asked: this.asked && this.isLast() && !this.ghosts,
    });
    byId("where").textContent = text("ply.at", { ply, plies: view.frames.length - 1 });
    Object.assign(byId("ply"), { max: view.frames.length - 1, value: ply });
    byId("ply").setAttribute("aria-valuetext", this.moveText());
    const bar = this.evaluation.show(byId("evaluation"), ply, this.board.turned);
    byId("legend").textContent = [bar, ...this.signs(frame, legal, better)].filter(Boolean).join(" · ");
    for (const [id, off] of [["first", ply === 0], ["previous", ply === 0], ["next", this.isLast()], ["last", this.isLast()]]) byId(id).disabled = off;
    byId("to-live").hidden = this.isLast() || Boolean(view.over);
    this.players(stones);
    this.result();
    this.thought(frame);
    this.judgement();
    this.graphs.at(ply);
    this.mark();
    this.address();
    this.raw();
  }

  /** Explains the signs on the board. */
  signs(frame, legal, better) {
    if (this.ghosts) return [];
    const all = [[frame.at !== undefined, "◉", "board.last"], [frame.flips?.length, "◆", "board.flipped"], [better !== null, "◇", "board.better"], [this.marks, "■", "board.worth"], [this.view.discs && legal?.size && better === null && byId("legal").checked, "○", "board.legal"]];
    return all.flatMap(([isShown, sign, key]) => (isShown ? [`${sign}\u00a0${text(key)}`] : []));
  }

  /** Returns a map of the squares of the fifth moves that black offers to their numbers. */
  offered(frame) {
    const offered = frame.opening?.offered ?? [];
    return offered.length ? new Map(offered.map((at, index) => [at, { text: String(index + 1) }])) : null;
  }

  /** Returns the square of the better move, if the move on the board was a mistake. */
  better() {
    if (!this.analysis?.mark(this.ply)) return null;
    const { better, win } = this.analysis.at(this.ply);
    const line = better?.line.length ? better.line : win?.line;
    return line?.length ? squareOf(line[0], this.view.size) : null;
  }

  /** Returns a map of the legal squares to the discs that they flip. */
  legal(frame, stones) {
    if (frame.legal) return new Map(frame.legal);
    // In an opening of Othello, no player chooses.
    if (this.view.discs || (this.view.over && this.isLast())) return null;
    const forbidden = new Map(frame.forbidden ?? []);
    const empty = [...stones].flatMap((stone, at) => (stone === "." && !forbidden.has(at) ? [[at, []]] : []));
    return new Map(empty);
  }

  numbers() {
    const numbers = [];
    for (const [ply, { at }] of this.view.frames.slice(0, this.ply + 1).entries()) if (at !== undefined) numbers[at] = ply;
    return numbers;
  }

  players(stones) {
    const { view, ply } = this;
    const clocked = view.frames.slice(0, ply + 1).findLast((frame) => frame.left);
    const [left, toGo] = [clocked?.left, clocked?.moves_to_go];
    const order = ["player-top", "player-bottom"];
    [0, 1].forEach((side) => {
      const symbol = side === 0 ? "X" : "O";
      const name = text(side === 0 ? "side.black" : "side.white");
      const last = view.frames.slice(0, ply + 1).findLast((frame) => (frame.player ?? frame.by) === side && frame.thought?.wall !== undefined && frame.thought?.wall !== null);
      const count = [...stones].filter((stone) => stone === symbol).length;
      const clock = left?.[side] !== null && left?.[side] !== undefined ? time(left[side]) : last ? text("clock.last", { time: time(last.thought.wall) }) : "";
      const moves = view.frames[ply].to === side && !(view.over && this.isLast());
      const parts = [
        make("span", { class: `side ${side === 0 ? "black" : "white"}`, role: "img", "aria-label": name }),
        make("strong", { title: view.players[side] }, view.players[side]),
        make("span", { class: "count" }, view.discs ? String(count) : ""),
        make("small", { class: "terms" }, terms(view.terms?.[side])),
        make("span", { class: "clock" }, clock, toGo?.[side] ? make("small", {}, ` · ${text("clock.to-go", { moves: toGo[side] })}`) : null),
      ];
      const panel = byId(order[1 - side]);
      panel.classList.toggle("to-move", moves);
      panel.replaceChildren(...parts);
    });
  }

  result() {
    const over = this.view.over;
    byId("result").hidden = !over;
    byId("running")?.toggleAttribute("hidden", Boolean(over));
    if (!over) return;
    const how = over.why ? inWords(over.why) : word("reason", over.reason);
    const count = this.view.discs ? ` (${over.counts.join("–")})` : "";
    const name = over.winner === null ? "" : this.view.players[over.winner];
    const isYou = name === text("stages.you");
    const key = over.reason === "void" ? "said.void" : over.reason === "both-failed" ? "said.both-failed" : over.winner === null ? "said.drawn" : isYou ? "said.you-won" : "said.won";
    const faults = over.faults.flatMap(([side, why, said]) => [
      make("span", { class: "fault" }, text("said.fault", { name: this.view.players[side], why: inWords(why) })),
      said ? make("details", {}, make("summary", {}, text("faults.said")), make("pre", { tabindex: 0 }, said)) : null,
    ]);
    const notes = this.view.warnings.map((note) => make("span", { class: "note" }, inWords(note)));
    // The game of a language model may have dozens of notes.
    const few = notes.length > 3 ? [make("details", {}, make("summary", {}, text("said.notes", { count: notes.length })), ...notes)] : notes;
    const { ply, label, ...chances } = this.lost;
    const lost = ply ? make("button", { type: "button", class: "small", id: "lost-by", click: () => this.go(ply) }, text(label, { move: `${ply}. ${this.nameOfMove(ply)}`, ...chances })) : null;
    byId("result").replaceChildren(...[make("strong", {}, text(key, { name, how }) + count), ...faults, ...few, lost].filter(Boolean));
  }

  thought(frame) {
    const place = byId("thought");
    const reported = frame.thought;
    if (this.ply === 0 || !reported) {
      place.replaceChildren(make("p", { class: "empty" }, this.ply === 0 ? text("ply.start") : `${frame.played}: ${text("ply.opening")}`));
      return;
    }
    if (reported.forced) {
      place.replaceChildren(make("p", { class: "empty" }, text("ply.forced")));
      return;
    }
    const speed = reported.nodes && reported.wall ? (reported.nodes * 1000) / reported.wall : null;
    const facts = [
      ["thought.time", time(reported.wall)],
      ["thought.cpu", time(reported.cpu)],
      ["thought.depth", reported.depth ?? ""],
      ["thought.score", reported.score === null || reported.score === undefined ? "" : scoreText(reported.score, this.view.discs)],
      ["thought.nodes", short(reported.nodes)],
      ["thought.speed", short(speed)],
      ["thought.spent", reported.spent ?? ""],
    ].filter(([, value]) => value !== "");
    const list = make("dl", {}, ...facts.map(([key, value]) => make("div", {}, make("dt", {}, text(key)), make("dd", {}, String(value)))));
    const lead = make("p", {}, make("strong", {}, colon(this.view.players[frame.player ?? frame.by]) + this.nameOfMove(this.ply)));
    const own = reported.pv ?? [];
    const before = this.view.frames[this.ply - 1].thought?.pv?.slice(1) ?? [];
    const parts = own.findIndex((played, index) => played !== before[index]);
    const lines = [];
    if (own.length) lines.push(this.line(text("thought.line"), own, before.length ? parts : -1));
    if (before.length) lines.push(this.line(text("thought.expected", { name: this.view.players[1 - frame.by] }), before, own.length ? parts : -1));
    if (reported.text) lines.push(make("details", { open: true }, make("summary", {}, text("thought.text")), make("pre", {}, reported.text)));
    place.replaceChildren(lead, list, ...lines);
  }

  /** Shows a variation. A click on one of its moves shows the position after that move on the board. */
  line(name, moves, parts, from = this.ply - 1) {
    const first = this.view.frames[from].to;
    const buttons = moves.map((played, index) =>
      make("button", { type: "button", class: index === parts ? "parts" : undefined, title: index === parts ? text("thought.parts") : undefined, click: () => this.ghost(from, first, moves.slice(0, index + 1)) }, played === "pass" ? text("ply.pass") : played),
    );
    return make("p", { class: "line" }, make("span", {}, colon(name)), ...buttons);
  }

  ghost(from, first, moves) {
    const stones = moves.flatMap((played, index) => {
      const at = squareOf(played, this.view.size);
      return at === null ? [] : [{ at, side: (first + index) % 2, number: index + 1 }];
    });
    this.ghosts = { from, stones };
    this.render();
  }

  judgement() {
    const lesson = byId("lesson");
    if (lesson) {
      lesson.href = `/lesson?${new URLSearchParams({ run: this.page.run, game: this.page.number, ply: this.ply })}`;
      byId("best").hidden = lesson.hidden = Boolean(this.page.events) && !this.view.over;
      byId("analyse").hidden = !this.waits;
    }
    const best = this.best.slice(0, 3).map(({ worth, line }, index) => this.line(`${index + 1} (${worthText(worth)})`, line, -1, this.ply));
    const described = this.ply > 0 && this.analysis?.describe(this.ply, (name, moves) => this.line(name, moves, -1));
    byId("analysis").replaceChildren(...best, ...(described || []));
    const { folder } = this.page;
    const none = this.waits ? [this.waits] : byId("best") || !folder ? null : command("file.no-analysis", `arena analyze ${folder} --keep`);
    byId("sums").replaceChildren(...(this.analysis ? this.sums() : none ? [make("p", { class: "empty" }, ...none)] : []));
  }

  /** Returns what each bot lost in all, and the costliest moves. */
  sums() {
    const sums = this.view.players.map((name, side) => text("analysis.sum", { name, cost: this.analysis.cost(this.analysis.sum[side]) }));
    const costliest = this.analysis.costliest(3).map(([ply, { cost }]) =>
      make("button", { type: "button", click: () => this.go(ply) }, `${this.nameOfMove(ply)} (${this.analysis.cost(cost)})`),
    );
    const line = costliest.length ? [make("p", { class: "line", id: "costliest" }, make("span", {}, colon(text("analysis.costliest"))), ...costliest)] : [];
    return [...line, make("p", { class: "empty" }, sums.join(" · "))];
  }

  /** Shows the game, and the move that lost it if the page was opened for this move. */
  renderLost() {
    if (this.lost.ply && this.opens) this.step(this.lost.ply);
    else this.render();
  }

  /** Returns the half-move by which the loser lost, if it is known, and the key of the button that leads to it. */
  decisive() {
    const { over, frames } = this.view;
    if (!over || over.winner === null || over.faults.length) return {};
    const isOwn = (ply) => ply > this.view.opening && (frames[ply].player ?? frames[ply].by) !== over.winner && !frames[ply].thought?.forced;
    if (this.analysis) return this.analysis.decisive(isOwn);
    const isComing = byId("analyse") && !this.waits;
    return isComing ? {} : { ply: Math.max(0, this.evaluation.decisive(over.winner, isOwn)), label: "game.lost-by-scores" };
  }

  /** Requests the analysis. With `byItself` (no click of the user), waits until no run uses the machine. */
  analyse(byItself) {
    const progress = byId("progress");
    clearTimeout(this.again);
    const asked = this.view.frames.length;
    this.judged = asked;
    progress.hidden = false;
    byId("analyse").hidden = true;
    const end = (waits) => {
      progress.hidden = true;
      this.waits = waits;
      this.lost = this.decisive();
      this.renderLost();
    };
    analyse(this.page.base, byItself, {
      progress: (done, all) => {
        progress.max = all || 1;
        if (all) progress.value = done;
      },
      found: (analysis) => {
        end(null);
        if (asked !== this.view.frames.length) return;
        this.analysis = analysis;
        this.draw();
      },
      waits: (why) => {
        end(why);
        this.again = setTimeout(() => this.analyse(true), PAUSE);
      },
      failed: end,
    });
  }

  /** Shows the value of every move in this position, and the variations of the best moves. */
  async findBest() {
    const { run, number } = this.page;
    const ply = this.ply;
    byId("best").disabled = true;
    const { ok, data } = await post("/best", { run, game: Number(number), ply });
    byId("best").disabled = false;
    if (!ok) say(data?.why ?? text("said.lost"));
    if (!ok || this.ply !== ply) return;
    const shown = (worth) => (worth.discs === undefined ? valueText(ofWorth(worth)).replace(" %", "") : score(Math.round(10 * worth.discs) / 10));
    this.best = data;
    this.marks = new Map(data.map(({ move, worth }, index) => [squareOf(move, this.view.size), { text: shown(worth), best: index === 0 }]));
    this.render();
  }

  listMoves() {
    const items = this.view.frames.slice(1).map((_, index) => {
      const ply = index + 1;
      const mark = this.analysis?.mark(ply);
      const shown = mark ? make("span", { class: "judge", title: text(`mark.${mark}`) }, mark) : null;
      return make("li", {}, make("button", { type: "button", click: () => this.go(ply), class: index < this.view.opening ? "opening" : undefined }, this.nameOfMove(ply), shown));
    });
    byId("moves").replaceChildren(...items);
  }

  mark() {
    const list = byId("moves");
    list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const button = list.children[this.ply - 1]?.firstElementChild;
    if (!button) return;
    button.setAttribute("aria-current", "step");
    // Scrolls only the list of moves, never the page. On a phone, the list is one line.
    list.scrollTo(button.offsetLeft - list.clientWidth / 2, button.offsetTop - list.clientHeight / 2);
  }

  address() {
    const { base, run, number } = this.page;
    const isEnd = this.isLast();
    // A page that follows a game has the number in its fragment, so that it can be loaded again.
    const [at, between] = this.page.events ? [location.pathname, "#"] : [base, base.startsWith("#") ? "-" : "/"];
    history.replaceState(null, "", isEnd ? at : `${at}${between}${this.ply}`);
    // On the pages of a league, a game cannot be continued.
    if (!byId("play-on")) return;
    const asked = new URLSearchParams({ run, game: number, ply: this.ply });
    byId("play-on").href = `/play?${asked}`;
    const cannot = this.view.over && isEnd && !["resigned", "void"].includes(this.view.over.reason) && this.view.over.faults.length === 0;
    byId("play-on").hidden = Boolean(cannot) || (Boolean(this.page.events) && !this.view.over);
  }

  async raw() {
    const [panel, { lines, folder, number }, ply] = [byId("raw"), this.page, this.ply];
    byId("tab-raw").hidden = !lines && !folder;
    if (panel.hidden || this.rawPly === ply) return;
    this.rawPly = ply;
    const sides = lines ? await (await fetch(`${lines}/${Math.max(1, ply)}`)).json() : [];
    if (this.rawPly !== ply) return;
    const option = folder ? this.question() : null;
    const ask = option !== null ? [make("p", {}, ...command("game.ask-again", `arena ask ${folder}/${number}${option}`))] : [];
    const shown = sides.flatMap(({ lines, stderr }, side) => [
      make("h3", {}, this.view.players[side]),
      make("pre", { tabindex: 0 }, lines.join("\n")),
      ...(stderr ? [make("h4", {}, text("stderr")), make("pre", { class: "trace", tabindex: 0 }, stderr)] : []),
    ]);
    panel.replaceChildren(...ask, ...shown);
  }

  /** Returns the option of `arena ask` for the question before this half-move; null if no bot was asked. */
  question() {
    const { frames, over, players } = this.view;
    const { thought, who, by } = frames[this.ply];
    // Without the option, the bot at fault is asked its last question, which has no half-move.
    if (this.isLast() && over?.faults.length) return "";
    if (!thought || thought.forced || players[who ?? by] === text("stages.you")) return null;
    const words = frames.slice(0, this.ply).reduce((sum, { said = [] }) => sum + said.length, 0);
    return ` --ply ${this.ply + words}`;
  }

  /**
   * Returns the turning points of the analysis. Without an analysis, returns the half-moves at which the mover's own
   * score fell by at least a third of the largest fall.
   */
  turningPoints() {
    if (this.analysis) return this.analysis.turning;
    const last = [null, null];
    const falls = this.view.frames.map((frame) => {
      const value = frame.thought?.score;
      if (value === null || value === undefined) return 0;
      const fall = last[frame.by] === null ? 0 : last[frame.by] - value;
      last[frame.by] = value;
      return fall;
    });
    const most = Math.max(...falls);
    return falls.flatMap((fall, ply) => (fall > 0 && fall >= most / 3 ? [ply] : []));
  }

  /** Goes to the next or the previous turning point. */
  turning(forward) {
    const points = this.turningPoints();
    const next = forward ? points.find((ply) => ply > this.ply) : points.findLast((ply) => ply < this.ply);
    if (next === undefined) say(text(forward ? "said.no-turning" : "said.no-turning-before"));
    else this.go(next);
  }

  buttons() {
    const on = (id, does) => byId(id).addEventListener("click", does);
    on("first", () => this.go(0));
    on("previous", () => this.go(this.ply - 1));
    on("next", () => this.go(this.ply + 1));
    on("last", () => this.go(Infinity));
    on("to-live", () => this.go(Infinity));
    on("turning", () => this.turning(true));
    on("before-turning", () => this.turning(false));
    on("autoplay", () => this.autoplay(!this.playing));
    byId("speed").addEventListener("change", () => this.playing && this.autoplay(true));
    byId("ply").addEventListener("input", (event) => this.go(Number(event.target.value)));
    if (byId("analyse")) on("analyse", () => this.analyse(false));
    if (byId("best")) on("best", () => this.findBest());
    if (byId("go-on")) on("go-on", () => openPage(`/run/${encodeURIComponent(this.page.run)}/go-on`));
    on("flip", () => this.turn());
    on("mirror", () => this.board.mirror());
    for (const id of ["numbers", "legal"]) byId(id).addEventListener("change", () => this.render());
    const name = () => `${this.page.run}-${this.page.number}-${this.ply}`;
    on("save-svg", () => saveSvg(this.board.svg, name()));
    on("save-png", () => savePng(this.board.svg, name()));
    on("save-gif", () => saveGif(this.view, this.stones, name()));
    if (byId("save-sgf")) on("save-sgf", () => saveSgf(this.view, name()));
    on("copy-position", () => copy(`${this.stones[this.ply]} ${this.view.frames[this.ply].to === 0 ? "X" : "O"}`));
    on("copy-transcript", () => copy(this.view.frames.slice(1, this.ply + 1).map(({ played }) => (played === "pass" ? "" : played)).join("")));
  }

  turn() {
    this.board.turn();
    this.render();
  }

  /** The tabs below the moves: one panel is visible at a time. */
  tabs() {
    const all = [...document.querySelectorAll("[role=tab]")];
    const choose = (chosen) => {
      for (const tab of all) {
        tab.setAttribute("aria-selected", tab === chosen);
        tab.tabIndex = tab === chosen ? 0 : -1;
        byId(tab.getAttribute("aria-controls")).hidden = tab !== chosen;
      }
      if (this.view) this.raw();
    };
    for (const tab of all) {
      tab.addEventListener("click", () => choose(tab));
      tab.addEventListener("keydown", (event) => {
        const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
        if (!by) return;
        event.preventDefault();
        event.stopPropagation();
        const shown = all.filter((one) => !one.hidden);
        const next = shown[(shown.indexOf(tab) + by + shown.length) % shown.length];
        choose(next);
        next.focus();
      });
    }
    choose(all[0]);
  }
}
