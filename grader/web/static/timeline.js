// @ts-check

/*
 * The game below the board: a tick for each jump, which says whether the game could still be won after it, and a slider
 * to go there. A lost game cannot be won again, so a few questions find the jump that lost it.
 */

import { formatJump } from "./position.js";
import { byId, element, onPress } from "./page.js";

const WORDS = { won: "can still be won", lost: "can no longer be won", open: "not known" };

export class Timeline {
  /**
   * @param game the Game.
   * @param judge returns who knows whether a position can be won, or null: `name`; `isTruth`, or else it is an opinion;
   *     `atOnce`: whether it is asked without being told to; `ask(cells)` returns a Map of what it knows then, by
   *     cells, or a text that says why it does not know.
   * @param actions `onGo(at)`: the slider was moved; `onLost(at, jump)`: go to the position before the jump that lost.
   */
  constructor(game, judge, { onGo, onLost }) {
    this.game = game;
    this.judge = judge;
    this.known = new Map(); // by cells: whether the position can be won
    this.isAsking = false;
    this.trouble = "";
    byId("scrub").addEventListener("input", () => onGo(Number(byId("scrub").value)));
    onPress(byId("turning-go"), () => onLost(this.turning - 1, game.jumps[this.turning - 1]));
    onPress(byId("turning-ask"), () => this.find());
  }

  /** Show the game as it is now, and find the jump that lost it where that is soon done. */
  show() {
    this._draw();
    if (this.judge()?.atOnce && this.game.jumps.length > 0) this.find();
  }

  /** Ask the judge until it is known which jump lost the game, if any did. */
  async find() {
    if (this.isAsking || this.judge() === null) return;
    this.isAsking = true;
    this.trouble = "";
    for (let cells = this._nextQuestion(); cells !== null && this.trouble === ""; cells = this._nextQuestion()) {
      this._draw();
      const found = await this.judge().ask(cells);
      if (typeof found === "string") this.trouble = found;
      else for (const [position, wins] of found) this.known.set(position, wins);
      if (!this.trouble && !this.known.has(cells)) this.trouble = `${this.judge().name} does not know`;
    }
    this.isAsking = false;
    this._draw();
  }

  /** Return the last position known to be winnable and the first known to be lost, by their numbers of jumps. */
  _bounds() {
    const { positions } = this.game;
    const verdicts = positions.map((position) => this._verdict(position));
    const lost = verdicts.includes(false) ? verdicts.indexOf(false) : positions.length;
    return { won: verdicts.slice(0, lost).lastIndexOf(true), lost };
  }

  /** Return whether a position can be won, or undefined. */
  _verdict(position) {
    if (position.isWon) return true;
    if (position.jumps.length === 0) return false;
    return this.known.get(position.cells);
  }

  /** Return the cells to ask about next: the last position first, then in the middle of what is not known. */
  _nextQuestion() {
    const { positions } = this.game;
    const { won, lost } = this._bounds();
    if (lost - won <= 1) return null;
    const next = lost === positions.length ? positions.length - 1 : Math.floor((won + lost) / 2);
    return positions[next].cells;
  }

  /** The number of the jump that lost the game; 0 if it was lost from the start, null if no jump is known to be it. */
  get turning() {
    const { won, lost } = this._bounds();
    return lost < this.game.positions.length && lost - won === 1 ? lost : null;
  }

  _draw() {
    const { game } = this;
    const { won, lost } = this._bounds();
    const state = (at) => (at <= won ? "won" : at >= lost ? "lost" : "open");
    byId("timeline").dataset.empty = `${game.jumps.length === 0}`;
    byId("scrub").max = game.jumps.length;
    byId("scrub").value = game.at;
    byId("scrub").setAttribute("aria-valuetext", this._valueText(state(game.at)));
    byId("ticks").replaceChildren(...game.positions.map((_, at) => {
      const tick = element("span", { class: `tick ${state(at)}${at > game.at ? " to-come" : ""}` });
      if (at > 0) tick.title = `jump ${at}, ${formatJump(game.jumps[at - 1])}: ${WORDS[state(at)]}`;
      return tick;
    }));
    const turning = this.turning;
    byId("turning").textContent = this._words(turning, won);
    byId("turning-go").hidden = !turning || turning - 1 === game.at;
    const canAsk = this.judge() !== null && !this.judge().atOnce && game.jumps.length > 0 && this._nextQuestion() !== null;
    byId("turning-ask").hidden = this.isAsking || !canAsk;
    byId("turning-ask").textContent = `Can it be won? Ask ${this.judge()?.name}`;
  }

  _valueText(state) {
    const { at, jumps } = this.game;
    if (at === 0) return `the beginning, of ${jumps.length} jumps`;
    const words = state === "open" ? "" : `, ${WORDS[state]}`;
    return `jump ${at} of ${jumps.length}, ${formatJump(jumps[at - 1])}${words}`;
  }

  /** Return what is known of the game, in words; an opinion is named as one. */
  _words(turning, won) {
    const { game } = this;
    const judge = this.judge();
    if (game.jumps.length === 0) return "";
    const says = judge === null || judge.isTruth ? "" : `${judge.name} says: `;
    if (this.isAsking) return `asking ${judge.name} …`;
    if (turning !== null && turning > 0) return `${says}jump ${turning}, ${formatJump(game.jumps[turning - 1])}, lost it`;
    if (turning === 0) return `${says}this board cannot be solved`;
    if (this.trouble) return this.trouble;
    return won === game.jumps.length && !game.position.isWon ? `${says}it can still be won` : "";
  }
}
