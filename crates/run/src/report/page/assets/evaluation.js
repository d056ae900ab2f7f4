// Converts values to Black's chance of winning: values of the analysis, scores of the bots, and the
// result.

import { enumerated, score as written, text } from "/assets/app.js";

/** A lead of this many discs counts as a chance of 73 %. */
const DISCS = 4;
/** In Gomoku, bots have their own units: this score, or the bot's median score if it is larger, is a chance of 73 %. */
const UNITS = 256;
/** Engines report a forced win as a round number of this size or more, minus the plies to the win. */
const LEAST_WIN = 10_000;
const MOST_PLIES = 100;

/** Returns the number of plies to the win; null if the score means no forced win. */
function pliesToWin(score) {
  const size = Math.abs(score);
  if (size < LEAST_WIN - MOST_PLIES) return null;
  const unit = 10 ** Math.floor(Math.log10(size + MOST_PLIES));
  const plies = Math.ceil(size / unit) * unit - size;
  return plies <= MOST_PLIES ? Math.ceil(plies) : null;
}

const squeezed = (lead) => 1 / (1 + Math.exp(-lead));
const certain = (sign, plies) => ({ chance: (1 + Math.sign(sign)) / 2, plies });

/** Returns the value of a position in an analysis: `chance`, and `plies` if a forced win is known. */
export function ofWorth(worth) {
  if (worth.wins_in !== undefined) return certain(1, worth.wins_in);
  if (worth.loses_in !== undefined) return certain(-1, worth.loses_in);
  if (worth.discs !== undefined) return worth.exact ? certain(worth.discs) : { chance: squeezed(worth.discs / DISCS) };
  return { chance: worth.chance };
}

/** Takes the value for player `by` before a half-move; returns the value for Black after the half-move. */
function forBlack({ chance, plies }, by) {
  return { chance: by === 0 ? chance : 1 - chance, plies: plies && plies - 1 };
}

export class Evaluation {
  constructor(view, analysis) {
    Object.assign(this, { view, analysis });
    this.scales = [0, 1].map((side) => {
      if (view.discs) return DISCS;
      const scores = view.frames.filter(({ by }) => by === side).map(({ thought }) => thought?.score ?? 0);
      const sizes = scores.map(Math.abs).filter((size) => size && pliesToWin(size) === null).sort((a, b) => a - b);
      return Math.max(UNITS, sizes[sizes.length >> 1] ?? 0);
    });
  }

  /** Returns the value that the bot reported with this half-move. */
  reported(ply) {
    const { thought, by } = this.view.frames[ply];
    if (!thought || thought.forced || thought.score === null || thought.score === undefined) return null;
    const plies = this.view.discs ? null : pliesToWin(thought.score);
    return forBlack(plies === null ? { chance: squeezed(thought.score / this.scales[by]) } : certain(thought.score, plies), by);
  }

  /**
   * Returns the loser's last half-move before the winner's largest gain; -1 if there is none. Gains are measured by the
   * winner's scores, or by the loser's scores if the winner reported fewer than two.
   */
  decisive(winner, isOwn) {
    const reported = (side) => this.view.frames.flatMap(({ by }, ply) => (by === side && this.reported(ply) ? [[ply, this.reported(ply).chance]] : []));
    const scores = [winner, 1 - winner].map(reported).find((own) => own.length > 1) ?? [];
    const gains = scores.slice(1).map(([ply, chance], index) => ({ ply, gain: (chance - scores[index][1]) * (1 - 2 * winner) }));
    const most = gains.reduce((most, one) => (one.gain > most.gain ? one : most), { gain: 0 });
    return this.view.frames.slice(0, most.ply ?? 0).findLastIndex((_, ply) => isOwn(ply));
  }

  judged(ply) {
    const judged = this.analysis?.at(ply);
    return judged ? forBlack(ofWorth(judged.worth), this.view.frames[ply].by) : null;
  }

  /** Returns the result if the game ends with this half-move, else the latest known value up to it, with its `source`. */
  at(ply) {
    const { over, frames } = this.view;
    if (over && ply === frames.length - 1 && over.reason !== "void") return certain(over.winner === null ? 0 : 1 - 2 * over.winner);
    for (let before = ply; before > 0; before -= 1) {
      const [judged, told, { player, by }] = [this.judged(before), this.reported(before), frames[before]];
      if (judged) return { ...judged, source: text("game.by-analysis") };
      if (told) return { ...told, source: text("game.by-score", { name: this.view.players[player ?? by] }) };
    }
    return null;
  }

  /** Shows the value after this half-move as a bar beside the board, and returns what the bar means. */
  show(place, ply, turned) {
    const value = this.at(ply);
    place.hidden = !value;
    if (!value) return "";
    const shown = valueText(value);
    place.classList.toggle("turned", turned);
    place.style.setProperty("--black", `${100 * value.chance}%`);
    place.lastElementChild.textContent = value.plies === undefined ? Math.round(100 * value.chance) : shown;
    place.setAttribute("aria-label", text("game.evaluation", { value: shown }));
    return `▌ ${enumerated([place.getAttribute("aria-label"), value.source])}`;
  }
}

/** Writes a value as `62 %`, or as `#5` or `-#5` for a forced win of Black or White in 5 half-moves. */
export function valueText({ chance, plies }) {
  if (plies === undefined) return `${Math.round(100 * chance)} %`;
  return `${chance < 0.5 ? "-" : ""}#${plies || ""}`;
}

/** Writes a bot's score, or a forced win as `#5` or `-#5`. */
export function scoreText(score, discs) {
  const plies = discs ? null : pliesToWin(score);
  return plies === null ? written(score) : `${score < 0 ? "-" : ""}#${plies || ""}`;
}
