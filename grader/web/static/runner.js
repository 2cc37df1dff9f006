// @ts-check

/* Run through a game, a step at a time, until it is over or somebody stops it. */

const STEP_MS = 450; // between two jumps

export class Runner {
  /**
   * @param button runs and pauses.
   * @param game `step` plays a jump; `isOver` returns whether there is none left.
   */
  constructor(button, { step, isOver }) {
    this.button = button;
    this.step = step;
    this.isOver = isOver;
    this.timer = null;
    button.addEventListener("click", () => (this.timer === null ? this.start() : this.stop()));
  }

  start() {
    clearInterval(this.timer);
    this.timer = setInterval(() => {
      this.step();
      if (this.isOver()) this.stop();
    }, STEP_MS);
    this.button.textContent = "Pause";
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
    this.button.textContent = "Play";
  }
}
