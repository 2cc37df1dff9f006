// @ts-check

import { legalPart, sameCell } from "./position.js";

/** A game: its first position, its jumps including those taken back, and how many of them are played. */
export class Game {
  constructor(position, jumps = []) {
    this.positions = [position];
    this.jumps = [];
    this.at = 0;
    this.before = null; // the game that `restart` ended
    for (const jump of jumps) this.play(jump);
  }

  get position() {
    return this.positions[this.at];
  }

  /** Return the jumps that are played. */
  get played() {
    return this.jumps.slice(0, this.at);
  }

  /** Return the number of moves played: consecutive jumps of one peg are one move. */
  get moves() {
    return this.played.filter(([row, col], index, all) => index === 0 || !sameCell(all[index - 1].slice(2), [row, col])).length;
  }

  /** Play a legal jump; forget the jumps that were taken back, unless the first of them is this one. */
  play(jump) {
    if (`${this.jumps[this.at]}` !== `${jump}`) {
      this.jumps = [...this.played, jump];
      this.positions = [...this.positions.slice(0, this.at + 1), this.position.after(jump)];
    }
    this.at += 1;
    this.before = null;
  }

  /** Replace the jumps to come, as far as they can be played. */
  plan(jumps) {
    const { at } = this;
    for (const jump of legalPart(this.position, jumps)) this.play(jump);
    this.jumps.length = this.at; // what was to come before
    this.positions.length = this.at + 1;
    this.at = at;
  }

  /** Restart. `undo` brings the old game back until a jump is played. */
  restart() {
    if (this.jumps.length === 0) return;
    this.before = { jumps: this.jumps, positions: this.positions, at: this.at };
    Object.assign(this, { jumps: [], positions: [this.positions[0]], at: 0 });
  }

  get canUndo() {
    return this.at > 0 || this.before !== null;
  }

  undo() {
    if (this.at > 0) {
      this.at -= 1;
    } else if (this.before !== null) {
      Object.assign(this, this.before);
      this.before = null;
    }
  }

  get canRedo() {
    return this.at < this.jumps.length;
  }

  goTo(at) {
    this.at = Math.max(0, Math.min(at, this.jumps.length));
  }
}
