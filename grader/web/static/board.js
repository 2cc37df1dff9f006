// @ts-check

/* The picture of a board in a page, for `grade play`, a report, the course's site, and paper. */

import { Drag } from "./drag.js";
import { UNIT, animate, centre, draw, drawArrow, drawBadge, gradient } from "./drawing.js";
import { SIZE, cellBetween, counted, parseBoard, sameCell } from "./position.js";

let pictures = 0; // for unique names of each picture's gradients

/** Draw <svg data-cells="64 cells" data-least="5,3" data-labels data-marks='[["from", 3, 1]]'>; return its view. */
export function drawPicture(svg) {
  const { cells, least = "1,1", labels, marks = "[]" } = svg.dataset;
  svg.replaceChildren();
  svg.classList.remove("still");
  const view = new BoardView(svg, parseBoard(cells), { least: least.split(",").map(Number), labels: labels !== undefined });
  view.mark(JSON.parse(marks));
  return view;
}

/** A picture of a board in an <svg>. */
export class BoardView {
  /**
   * Draw a position.
   *
   * @param svg the element to draw in.
   * @param position what to draw; its holes cannot change later.
   * @param options `labels`: write the numbers of rows and columns; `least`: at least so many [columns, rows] of
   *     room, so that small boards are not drawn huge; `onCell`: called with the [row, col] of a cell that was
   *     clicked; with it the board is a grid to navigate; `onDrop`: called with two cells when a peg was dragged from
   *     the first to the second; `onLift`: called with a peg's cell when the drag begins.
   */
  constructor(svg, position, { labels = false, least = [1, 1], onCell = null, onLift = null, onDrop = null } = {}) {
    this.svg = svg;
    this.position = position;
    this.name = `board-${(pictures += 1)}`;
    this.pegs = new Map(); // by cell as text: the group that draws its peg
    this.targets = new Map(); // by cell as text: the element that is clicked and focused
    this._frame = (cells) => this._show([...position.holes, ...cells], labels, least);
    this._frame([]);
    this._drawBoard();
    if (labels) this._drawLabels();
    this.pegLayer = this._layer("pegs");
    for (const cell of position.holes) this.pegs.set(`${cell}`, this._drawPeg(cell));
    this.markLayer = this._layer("marks");
    if (onCell === null) {
      svg.setAttribute("role", "img");
    } else {
      this._drawTargets(onCell);
    }
    if (onDrop !== null) this.drag = new Drag(this, onLift, onDrop);
    this._describe();
  }

  /** Show another position of the same board, without animation. */
  show(position) {
    this.position = position;
    for (const [row, col] of position.holes) {
      this.pegs.get(`${[row, col]}`).classList.toggle("there", position.at(row, col) === "*");
    }
    this._describe();
  }

  /** Play a legal jump, animated; a peg that was dragged is there already. */
  play(jump, { isThere = false } = {}) {
    this.show(this.position.after(jump));
    if (!isThere) this._glide(jump);
    this._fade(cellBetween(jump), [1, 1, 0]);
  }

  /** Take back the jump that led here. */
  takeBack(jump) {
    const [row, col, rowEnd, colEnd] = jump;
    const [rowOver, colOver] = cellBetween(jump);
    this.show(this.position.with([row, col, "*"], [rowOver, colOver, "*"], [rowEnd, colEnd, "o"]));
    this._glide([rowEnd, colEnd, row, col]);
    this._fade([rowOver, colOver], [0, 1]);
  }

  /** Show where a game is that was after `before` jumps; a change of one jump is animated. */
  follow({ at, jumps, position }, before) {
    if (at === before + 1) this.play(jumps[before]);
    else if (at === before - 1) this.takeBack(jumps[at]);
    else this.show(position);
  }

  /** Mark a chosen peg (null: none) and its landings. */
  choose(cell) {
    this.chosen = cell;
    this.clear("choice");
    const marks = this._group("choice");
    if (cell !== null) {
      marks.append(draw("circle", { class: "ring-edge", r: 42, ...centre(cell) }));
      marks.append(draw("circle", { class: "ring", r: 42, ...centre(cell) }));
      for (const [, , row, col] of this.position.jumpsFrom(...cell)) {
        marks.append(draw("circle", { class: "landing", r: 23, ...centre([row, col]) }));
        marks.append(draw("circle", { class: "landing-dot", r: 9, ...centre([row, col]) }));
      }
    }
    this._describe();
  }

  /**
   * Draw arrows for jumps in place of earlier arrows; an illegal one may lead off the board.
   *
   * @param arrows [{jump, kind}]; a kind is "hint", "last", "wins", "loses" or "illegal"; the last three also have
   *     a tick or a cross.
   */
  point(arrows) {
    this.clear("arrows");
    this._frame(arrows.flatMap(({ jump }) => [jump.slice(0, 2), jump.slice(2)]));
    this._group("arrows").append(...arrows.map(({ jump, kind }) => drawArrow(jump, kind)));
  }

  /** Mark cells, [[what for, row, col]]: a jump is an arrow, which is illegal if it goes over no peg. */
  mark(marks) {
    const [from, over, to] = ["from", "over", "to"].map((wanted) => marks.find(([mark]) => mark === wanted)?.slice(1));
    if (from && to) this.point([{ jump: [...from, ...to], kind: over ? "hint" : "illegal" }]);
    else this.badge(marks.map(([, ...cell]) => cell), false);
  }

  /** Put a tick (`isGood`) or a cross on cells, in place of earlier ones: how the game ended, or what was refused. */
  badge(cells, isGood) {
    this.clear("badges");
    const group = this._group("badges");
    for (const cell of cells) group.append(drawBadge(cell, isGood));
  }

  /** Remove marks: "choice", "arrows" or "badges". */
  clear(kind) {
    this.markLayer.querySelectorAll(`.${kind}`).forEach((marks) => marks.remove());
  }

  /** Put the keyboard's cursor on a cell; with `focus`, the page's focus too. */
  moveTo(cell, focus = true) {
    this.targets.get(`${this.cursor}`)?.setAttribute("tabindex", "-1");
    this.cursor = cell;
    const target = this.targets.get(`${cell}`);
    target.setAttribute("tabindex", "0");
    if (focus) target.focus();
  }

  /** Move the cursor to the next hole by an arrow key, wrapping round so that every hole can be reached. */
  step(key) {
    const byColumns = (one, other) => one[1] - other[1] || one[0] - other[0];
    const vertical = key === "ArrowUp" || key === "ArrowDown";
    const holes = vertical ? this.position.holes.sort(byColumns) : this.position.holes;
    const here = holes.findIndex((cell) => sameCell(cell, this.cursor));
    const by = key === "ArrowRight" || key === "ArrowDown" ? 1 : -1;
    this.moveTo(holes[(here + by + holes.length) % holes.length]);
  }

  // ---- drawing -----------------------------------------------------------------------------------

  /**
   * @param {number[][]} cells
   * @param {boolean} labels
   * @param {number[]} least
   */
  _show(cells, labels, [leastColumns, leastRows]) {
    const [rows, columns] = [0, 1].map((part) => cells.map((cell) => cell[part]));
    this.top = Math.min(...rows);
    this.left = Math.min(...columns);
    const height = Math.max(...rows) - this.top + 1;
    const width = Math.max(...columns) - this.left + 1;
    const margin = 0.3;
    const room = labels ? 0.35 : 0;
    const wide = Math.max(width + 2 * margin + room, leastColumns);
    const high = Math.max(height + 2 * margin + room, leastRows);
    const x = this.left - room + (width + room - wide) / 2;
    const y = this.top - room + (height + room - high) / 2;
    this.svg.setAttribute("viewBox", [x, y, wide, high].map((number) => Math.round(number * UNIT)).join(" "));
    this.svg.style.maxWidth = `${Math.ceil(wide * 80)}px`; // a board of one hole need not fill the page
    this.svg.classList.add("board");
  }

  _drawBoard() {
    const outline = this.position.holes
      .map(([row, col]) => `M${col * UNIT} ${row * UNIT}h${UNIT}v${UNIT}h-${UNIT}z`)
      .join("");
    const end = SIZE * UNIT;
    this.svg.append(
      draw(
        "defs",
        {},
        gradient("linearGradient", `${this.name}-wood`, ["wood-1", 0], ["wood-2", 0.45], ["wood-1", 0.6], ["wood-3", 1], {
          gradientUnits: "userSpaceOnUse", x1: 0, y1: 0, x2: end * 0.35, y2: end,
        }),
        gradient("radialGradient", `${this.name}-hole`, ["hole-1", 0.5], ["hole-2", 1], { cx: 0.5, cy: 0.6, r: 0.55 }),
        gradient("radialGradient", `${this.name}-peg`, ["peg-1", 0], ["peg-2", 0.45], ["peg-3", 1], {
          cx: 0.36, cy: 0.3, r: 0.75,
        }),
      ),
      draw("path", { class: "rim", d: outline }),
      draw("path", { class: "wood", d: outline, fill: `url(#${this.name}-wood)`, stroke: `url(#${this.name}-wood)` }),
    );
    const holes = this._layer("holes");
    for (const cell of this.position.holes) {
      holes.append(draw("circle", { class: "hole", r: 29, fill: `url(#${this.name}-hole)`, ...centre(cell) }));
    }
  }

  _drawLabels() {
    const labels = this._layer("labels");
    const label = (y, x, number) => labels.append(draw("text", { x: x * UNIT, y: y * UNIT }, `${number}`));
    for (const row of new Set(this.position.holes.map(([row]) => row))) label(row + 0.5, this.left - 0.4, row);
    for (const col of new Set(this.position.holes.map(([, col]) => col))) label(this.top - 0.4, col + 0.5, col);
  }

  _drawPeg(cell) {
    const { cx, cy } = centre(cell);
    const peg = draw(
      "g",
      { class: "peg" },
      draw("ellipse", { class: "shadow", cx: 4, cy: 9, rx: 35, ry: 34 }),
      draw("circle", { class: "ball", r: 35, fill: `url(#${this.name}-peg)` }),
    );
    peg.classList.toggle("there", this.position.at(...cell) === "*");
    this.pegLayer.append(draw("g", { transform: `translate(${cx} ${cy})` }, peg));
    return peg;
  }

  _drawTargets(onCell) {
    this.svg.setAttribute("role", "grid");
    const layer = this._layer("targets");
    layer.setAttribute("role", "presentation");
    const rows = new Map();
    for (const [row, col] of this.position.holes) {
      if (!rows.has(row)) {
        rows.set(row, draw("g", { role: "row" }));
        layer.append(rows.get(row));
      }
      const corner = { x: col * UNIT, y: row * UNIT, width: UNIT, height: UNIT };
      const target = draw(
        "g",
        { class: "target", role: "gridcell", tabindex: -1, "data-cell": `${row}:${col}` },
        draw("rect", { class: "touch", ...corner }),
        draw("rect", { class: "focus", ...corner, rx: 22 }),
      );
      target.addEventListener("click", () => {
        if (this.drag?.hasEnded) return; // what browsers send at the end of a drag, too
        this.moveTo([row, col]);
        onCell([row, col]);
      });
      target.addEventListener("focus", () => this.moveTo([row, col], false));
      rows.get(row).append(target);
      this.targets.set(`${[row, col]}`, target);
    }
    this.moveTo(this.position.holes[0], false);
  }

  /** Describe the drawing to screen readers. */
  _describe() {
    if (this.targets.size === 0) {
      const { pegs, holes } = this.position;
      this.svg.setAttribute("aria-label", `board with ${counted(pegs, "peg")} and ${counted(holes.length - pegs, "empty hole")}`);
      return;
    }
    const chosen = this.chosen ?? null;
    const landings = chosen === null ? [] : this.position.jumpsFrom(...chosen).map((jump) => jump.slice(2));
    for (const [row, col] of this.position.holes) {
      const target = this.targets.get(`${[row, col]}`);
      const landing = landings.some((cell) => sameCell(cell, [row, col]));
      const what = this.position.at(row, col) === "*" ? "peg" : "empty hole";
      const more = landing ? ", landing" : "";
      target.setAttribute("aria-label", `row ${row} column ${col}, ${what}${more}`);
      target.setAttribute("aria-selected", `${sameCell(chosen, [row, col])}`);
      target.classList.toggle("peg-here", this.position.at(row, col) === "*");
      target.classList.toggle("useful", landing || this.position.jumpsFrom(row, col).length > 0);
    }
  }

  _glide([row, col, rowEnd, colEnd]) {
    const peg = this.pegs.get(`${[rowEnd, colEnd]}`);
    this.pegLayer.append(peg.parentNode); // drawn above the peg that it jumps over
    const [x, y] = [(col - colEnd) * UNIT, (row - rowEnd) * UNIT];
    animate(peg, [
      { transform: `translate(${x}px, ${y}px)` },
      { transform: `translate(${x / 2}px, ${y / 2}px) scale(1.18)` },
      { transform: "none" },
    ]);
  }

  _fade(cell, opacity) {
    animate(this.pegs.get(`${cell}`), { opacity });
  }

  _group(kind) {
    const group = draw("g", { class: kind });
    this.markLayer.append(group);
    return group;
  }

  _layer(name) {
    const layer = draw("g", { class: name });
    this.svg.append(layer);
    return layer;
  }
}
