// @ts-check

/* Run through a game, a step at a time, until it is over or somebody stops it. */

const STEP_MS = 900; // between two jumps at speed 1

export class Runner {
  /**
   * @param button runs and pauses.
   * @param game `step` plays a jump; `isOver` returns whether there is none left; `again` goes to the first, for a
   *     run from the end; `speed` returns a factor.
   */
  constructor(button, { step, isOver, again = () => {}, speed = () => 1 }) {
    this.button = button;
    this.step = step;
    this.isOver = isOver;
    this.again = again;
    this.speed = speed;
    this.timer = null;
    button.addEventListener("click", () => this.toggle());
  }

  toggle() {
    if (this.timer !== null) return this.stop();
    if (this.isOver()) this.again();
    this.start();
  }

  start() {
    clearInterval(this.timer);
    this.timer = setInterval(() => {
      this.step();
      if (this.isOver()) this.stop();
    }, STEP_MS / this.speed());
    this.button.textContent = "Pause";
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
    this.button.textContent = "Run";
  }

  changeSpeed() {
    if (this.timer !== null) this.start();
  }
}
