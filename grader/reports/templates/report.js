"use strict";

/* The boards of a report: drawn in place of their text, with controls to step through each solution. */

class Replay {
  constructor(figure) {
    const { cells, jumps, illegal, reason } = figure.dataset;
    this.jumps = JSON.parse(jumps);
    this.illegal = illegal === "" ? null : JSON.parse(illegal);
    this.reason = reason;
    this.game = new Game(parseBoard(cells), this.jumps);
    this.game.goTo(0);
    this.steps = this.jumps.length + (this.illegal === null ? 0 : 1); // the attempted illegal jump is also a step
    const svg = figure.querySelector("svg");
    this.view = new BoardView(svg, this.game.position, { labels: true, least: [6, 3] });
    figure.querySelector(".drawing").hidden = true;
    svg.removeAttribute("hidden");
    if (this.steps > 0) this._addControls(figure.querySelector(".replay"));
  }

  /** Show the board after `step` steps. */
  show(step) {
    this.at = Math.max(0, Math.min(step, this.steps));
    const before = this.game.at;
    this.game.goTo(this.at);
    if (this.game.at === before + 1) {
      this.view.play(this.jumps[before]);
    } else if (this.game.at === before - 1) {
      this.view.takeBack(this.jumps[this.game.at]);
    } else {
      this.view.show(this.game.position);
    }
    const isFault = this.at > this.jumps.length;
    const jump = isFault ? this.illegal : this.jumps[this.at - 1];
    this.view.point(jump === undefined ? [] : [{ jump, kind: isFault ? "illegal" : "last" }]);
    this._tell(isFault);
  }

  _addControls(controls) {
    this.back = controls.querySelector(".back");
    this.next = controls.querySelector(".next");
    this.scrub = controls.querySelector("input");
    this.status = controls.querySelector(".status");
    this.scrub.max = this.steps;
    this.back.addEventListener("click", () => this.show(this.at - 1));
    this.next.addEventListener("click", () => this.show(this.at + 1));
    this.scrub.addEventListener("input", () => this.show(Number(this.scrub.value)));
    controls.hidden = false;
    this.show(0);
  }

  _tell(isFault) {
    const words = this._words(isFault);
    this.scrub.value = this.at;
    this.scrub.setAttribute("aria-valuetext", words);
    this.back.setAttribute("aria-disabled", `${this.at === 0}`);
    this.next.setAttribute("aria-disabled", `${this.at === this.steps}`);
    this.status.textContent = words;
  }

  _words(isFault) {
    const pegs = counted(this.game.position.pegs, "peg");
    if (this.at === 0) return `The beginning: ${pegs}.`;
    if (isFault) return `Jump ${this.at}, ${formatJump(this.illegal)}, is illegal: it ${this.reason}.`;
    return `Jump ${this.at} of ${this.steps}: ${formatJump(this.jumps[this.at - 1])}. ${pegs} left.`;
  }
}

for (const figure of document.querySelectorAll(".position")) new Replay(figure);

/* Unfold everything for printing. */
let folded = [];
addEventListener("beforeprint", () => {
  folded = [...document.querySelectorAll("details:not([open])")];
  for (const details of folded) details.open = true;
});
addEventListener("afterprint", () => {
  for (const details of folded) details.open = false;
});
