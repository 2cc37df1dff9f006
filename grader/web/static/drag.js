// @ts-check

/* Drag a peg of a BoardView with mouse, pen or finger, and drop it on another cell. */

import { UNIT, centre } from "./drawing.js";
import { sameCell } from "./position.js";

const LEAST_PX = 6; // a press that moves less is a click
const NEAR = 0.8; // of a cell: a peg dropped so near to a landing's centre lands there

export class Drag {
  /**
   * @param view the BoardView.
   * @param onLift called with a peg's cell when it is lifted.
   * @param onDrop called with the peg's cell and the cell that it is dropped on; null beside the board.
   */
  constructor(view, onLift, onDrop) {
    this.view = view;
    this.onLift = onLift;
    this.onDrop = onDrop;
    this.from = null; // the cell of the pressed peg
    this.isMoving = false;
    this.hasEnded = false; // whether the last press was a drag
    this.start = { x: 0, y: 0 };
    view.svg.addEventListener("pointerdown", (event) => this._press(event));
    view.svg.addEventListener("pointermove", (event) => this._move(event));
    view.svg.addEventListener("pointerup", (event) => this._release(event));
    view.svg.addEventListener("pointercancel", () => this._putBack());
    const hold = (event) => this.from !== null && event.preventDefault(); // browsers also scroll where touch-action says no
    view.svg.addEventListener("touchmove", hold, { passive: false });
  }

  _press(event) {
    if (!event.isPrimary || event.button !== 0) return;
    this.hasEnded = false;
    const target = event.target.closest(".target.peg-here");
    if (target === null) return;
    this.from = target.dataset.cell.split(":").map(Number);
    this.start = { x: event.clientX, y: event.clientY };
    target.setPointerCapture(event.pointerId); // so that its moves come here, wherever it goes
  }

  _move(event) {
    if (this.from === null) return;
    const [x, y] = [event.clientX - this.start.x, event.clientY - this.start.y];
    if (!this.isMoving && Math.hypot(x, y) < LEAST_PX) return;
    const peg = this.view.pegs.get(`${this.from}`);
    if (!this.isMoving) {
      this.isMoving = true;
      this.view.pegLayer.append(peg.parentNode); // drawn above all others
      this.onLift(this.from);
    }
    const scale = this.view.svg.getScreenCTM().a;
    peg.style.transform = `translate(${x / scale}px, ${y / scale}px)`;
  }

  _release(event) {
    const { from, isMoving } = this;
    this._putBack();
    if (!isMoving) return;
    this.hasEnded = true;
    const to = this._cellAt(event, from);
    if (to === null || !sameCell(to, from)) this.onDrop(from, to);
  }

  _putBack() {
    if (this.from !== null) this.view.pegs.get(`${this.from}`).style.transform = "";
    this.from = null;
    this.isMoving = false;
  }

  /** Return the cell under the pointer, or a landing of the peg nearby; null beside the board. */
  _cellAt(event, from) {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.view.svg.getScreenCTM().inverse());
    const { position } = this.view;
    const landings = position.jumpsFrom(...from).map((jump) => jump.slice(2));
    const near = landings.find((cell) => {
      const { cx, cy } = centre(cell);
      return Math.hypot(cx - point.x, cy - point.y) <= NEAR * UNIT;
    });
    const under = [Math.floor(point.y / UNIT), Math.floor(point.x / UNIT)];
    return near ?? (position.at(...under) === "-" ? null : under);
  }
}
