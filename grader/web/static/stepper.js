// @ts-check

/* Step through a game that was played, to its end or to its illegal jump, in a report. */

import { Game } from "./game.js";
import { counted, formatJump } from "./position.js";

export class Stepper {
  /**
   * @param view a BoardView of the game's first position.
   * @param played `jumps`: the legal jumps; `illegal`: the jump after them that cannot be played, or null, and
   *     `reason`, why not.
   * @param onShow called after each step with this stepper.
   */
  constructor(view, { jumps, illegal = null, reason = "" }, onShow) {
    this.view = view;
    this.jumps = jumps;
    this.illegal = illegal;
    this.reason = reason;
    this.onShow = onShow;
    this.game = new Game(view.position, jumps);
    this.game.goTo(0);
    this.at = 0;
    this.steps = jumps.length + (illegal === null ? 0 : 1); // the attempt at the illegal jump is a step, too
  }

  /** Show the board after so many steps; a change of one jump is animated. */
  show(step) {
    const before = this.game.at;
    this.at = Math.max(0, Math.min(step, this.steps));
    this.game.goTo(this.at);
    this.view.follow(this.game, before);
    const jump = this.isFault ? this.illegal : this.jumps[this.at - 1];
    this.view.point(jump === undefined ? [] : [{ jump, kind: this.isFault ? "illegal" : "last" }]);
    this.onShow(this);
  }

  /** Whether the attempt at the illegal jump is shown. */
  get isFault() {
    return this.at > this.jumps.length;
  }

  /** Return what is shown, in words. */
  get words() {
    const pegs = counted(this.game.position.pegs, "peg");
    if (this.isFault) return `Jump ${this.at}, ${formatJump(this.illegal)}, is illegal: it ${this.reason}.`;
    if (this.at === 0) return `The beginning: ${pegs}.`;
    return `Jump ${this.at} of ${this.steps}: ${formatJump(this.jumps[this.at - 1])}. ${pegs} left.`;
  }
}
