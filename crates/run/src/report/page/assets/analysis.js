// The analysis of a game: the cost of each move. A page requests it once and shows it in all its
// views of the game.

import { inWords, listen, make, post, score, text } from "/assets/app.js";
import { ofWorth } from "/assets/evaluation.js";

/** Formats the value of a position for the side that moved there. */
export function worthText(worth) {
  if (worth.wins_in !== undefined) return text("analysis.wins", { plies: worth.wins_in });
  if (worth.loses_in !== undefined) return text("analysis.loses", { plies: worth.loses_in });
  if (worth.discs !== undefined) return worth.exact ? `${score(worth.discs)} (${text("analysis.exact")})` : score(worth.discs);
  return `${Math.round(100 * worth.chance)} %`;
}

/** Describes a win that was missed or given away. */
export function remarkText({ remark, win }) {
  const key = { "missed-win": "analysis.missed", "allowed-win": "analysis.allowed", lost: "analysis.lost" }[remark];
  return key ? text(key, { plies: win?.plies ?? "" }) : "";
}

/** The minimum costs of half-moves with the marks `?!`, `?` and `??`. */
const MARKS = { discs: [2, 5, 10], chance: [0.1, 0.2, 0.3] };

export class Analysis {
  constructor(analysis) {
    // The number of half-moves before those that were analysed.
    const before = analysis.before ?? 0;
    this.unit = analysis.unit;
    this.sum = analysis.cost;
    this.turning = analysis.turning_points.map((ply) => ply + before).toSorted((a, b) => a - b);
    this.plies = new Map(analysis.plies.map((judged) => [judged.ply + before, judged]));
  }

  at(ply) {
    return this.plies.get(ply);
  }

  /** Returns the half-moves that cost the most, each with its number. */
  costliest(count) {
    const mistakes = [...this.plies].filter(([, judged]) => judged.cost > 0);
    return mistakes.sort(([, one], [, other]) => other.cost - one.cost).slice(0, count);
  }

  /**
   * Returns the half-move with which the player's chance fell most, with the chances before and after it, or else the
   * costliest one, and its label.
   */
  decisive(isOwn) {
    const own = [...this.plies].filter(([ply, { better }]) => better && isOwn(ply));
    const falls = own.map(([ply, { better, worth }]) => [ply, ofWorth(better.worth).chance, ofWorth(worth).chance]);
    const [ply, from, to] = falls.reduce((most, one) => (one[1] - one[2] > most[1] - most[2] ? one : most), [0, 0, 0]);
    if (from - to < MARKS.chance[0]) return { ply: this.costliest(Infinity).map(([ply]) => ply).find(isOwn), label: "game.lost-by-cost" };
    return { ply, label: "game.lost-by", from: Math.round(100 * from), to: Math.round(100 * to) };
  }

  /** Returns the mark of a half-move; an empty text if it was no mistake. */
  mark(ply) {
    const judged = this.at(ply);
    if (!judged) return "";
    if (["missed-win", "allowed-win"].includes(judged.remark)) return "??";
    const steps = MARKS[this.unit].filter((least) => judged.cost >= least).length;
    return ["", "?!", "?", "??"][steps];
  }

  cost(cost) {
    const value = this.unit === "discs" ? Math.round(cost * 10) / 10 : Math.round(100 * cost);
    return text(`analysis.${this.unit}`, { value });
  }

  /** Describes a half-move; `line` draws a variation. */
  describe(ply, line) {
    const judged = this.at(ply);
    if (!judged) return [];
    const cost = judged.cost > 0 ? text("analysis.cost", { cost: this.cost(judged.cost) }) : text("analysis.free");
    const remark = remarkText(judged);
    const worth = text("analysis.worth", { worth: worthText(judged.worth) });
    const parts = [make("p", {}, make("strong", {}, `${judged.move}: ${cost}`), ` · ${worth}`)];
    if (remark) parts.push(make("p", { class: "warn" }, `! ${remark}`));
    if (judged.better?.line.length) parts.push(line(text("analysis.better", { worth: worthText(judged.better.worth) }), judged.better.line));
    if (judged.win?.line.length && judged.remark === "missed-win") parts.push(line(remark, judged.win.line));
    return parts;
  }
}

/** Requests the analysis of the game at `base`. `on` has the functions `progress`, `found`, `waits` and `failed`. */
export async function analyse(base, byItself, on) {
  const { ok, data } = await post(`${base}/analysis`, byItself ? { by_itself: true } : {});
  if (data?.waits) {
    on.waits(data.waits);
    return;
  }
  if (!ok) {
    on.failed(data?.why ?? text("said.lost"));
    return;
  }
  const close = listen(`${base}/analysis`, {
    now: (now) => {
      if (now.analysis) on.found(new Analysis(now.analysis));
      else if (now.why) on.failed(text("analysis.failed", { why: inWords(now.why) }));
      else if (now.broken) on.failed(text("analysis.broken"));
      else on.progress(now.done, now.all);
      if (now.all === undefined) close();
    },
  });
}
