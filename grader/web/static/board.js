"use strict";

/*
 * The board in a page: its rules (Position) and its picture (BoardView).
 *
 * Nothing here asks a server: a board is a text of 64 cells, "*" peg, "o" empty hole, "-" no hole, and a jump is
 * [row_start, col_start, row_end, col_end]. So the same file draws boards in the pages of `grade play`, in a report
 * and on paper.
 */

const SIZE = 8;
const UNIT = 100; // the side of a cell in the picture's own units
const DIRECTIONS = [[1, 0], [0, 1], [-1, 0], [0, -1]]; // down, right, up, left

/** An immutable board of pegs: `after` returns a new one. */
class Position {
  constructor(cells) {
    this.cells = cells;
  }

  /** Return the cell's character, "-" outside the board. */
  at(row, col) {
    const inside = row >= 0 && row < SIZE && col >= 0 && col < SIZE;
    return inside ? this.cells[row * SIZE + col] : "-";
  }

  get pegs() {
    return [...this.cells].filter((cell) => cell === "*").length;
  }

  /** Return the cells other than "-", as [row, col], row by row. */
  get holes() {
    return [...this.cells].flatMap((cell, index) =>
      cell === "-" ? [] : [[Math.floor(index / SIZE), index % SIZE]],
    );
  }

  /** Return the legal jumps; the jumping pegs go row by row. */
  get jumps() {
    return this.holes.flatMap(([row, col]) => this.jumpsFrom(row, col));
  }

  /** Return the legal jumps of the peg in a cell. */
  jumpsFrom(row, col) {
    return DIRECTIONS.map(([down, right]) => [row, col, row + 2 * down, col + 2 * right]).filter((jump) =>
      this.isLegal(jump),
    );
  }

  isLegal(jump) {
    const [row, col, rowEnd, colEnd] = jump;
    const straight = [Math.abs(rowEnd - row), Math.abs(colEnd - col)].sort().join() === "0,2";
    const [rowOver, colOver] = cellBetween(jump);
    return (
      straight &&
      this.at(row, col) === "*" &&
      this.at(rowOver, colOver) === "*" &&
      this.at(rowEnd, colEnd) === "o"
    );
  }

  /** Return the position after a legal jump. */
  after(jump) {
    const [row, col, rowEnd, colEnd] = jump;
    const [rowOver, colOver] = cellBetween(jump);
    return this.with([row, col, "o"], [rowOver, colOver, "o"], [rowEnd, colEnd, "*"]);
  }

  with(...changes) {
    const cells = [...this.cells];
    for (const [row, col, cell] of changes) cells[row * SIZE + col] = cell;
    return new Position(cells.join(""));
  }
}

/** Return the cell [row, col] that a straight jump goes over. */
function cellBetween([row, col, rowEnd, colEnd]) {
  return [(row + rowEnd) / 2, (col + colEnd) / 2];
}

/** Return a jump as `grade` writes it. */
function formatJump([row, col, rowEnd, colEnd]) {
  return `${row}:${col} → ${rowEnd}:${colEnd}`;
}

/** Return the jumps in a text such as "3133.2123", as in a page's address. */
function parseJumps(text) {
  return text.split(".").map((digits) => [...digits].map(Number));
}

/** Return jumps as such a text. */
function joinJumps(jumps) {
  return jumps.map((jump) => jump.join("")).join(".");
}

/** Return the address of a board after some jumps; pages without a server have it behind a #. */
function addressOf(board, jumps) {
  const path = `${document.body.dataset.boards ?? "/play/"}${encodeURI(board)}`;
  return jumps.length === 0 ? path : `${path}/${joinJumps(jumps)}`;
}

/** Return "1 peg" or "2 pegs". */
function counted(count, word) {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}

function sameCell(one, other) {
  return one !== null && other !== null && one[0] === other[0] && one[1] === other[1];
}

/** Return the position in a text of 64 cells or in a board file; null if there is none. */
function parseBoard(text) {
  const cells = text.replace(/\s/g, "").replaceAll(".", "-");
  return /^[*o-]{64}$/.test(cells) ? new Position(cells) : null;
}

let pictures = 0; // for unique names of each picture's gradients

/** A picture of a board in an <svg>. */
class BoardView {
  /**
   * Draw a position.
   *
   * @param svg the element to draw in.
   * @param position what to draw; its holes cannot change later.
   * @param options `labels`: write the numbers of rows and columns; `least`: at least so many [columns, rows] of
   *     room, so that small boards are not drawn huge; `onCell`: called with the [row, col] of a cell that was clicked
   *     or chosen by keyboard; with it the board is a grid to navigate.
   */
  constructor(svg, position, { labels = false, least = [1, 1], onCell = null } = {}) {
    this.svg = svg;
    this.position = position;
    this.name = `board-${(pictures += 1)}`;
    this.pegs = new Map(); // by cell as text: the group that draws its peg
    this.targets = new Map(); // by cell as text: the element that is clicked and focused
    this._frame(labels, least);
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

  /** Play a legal jump, animated. */
  play(jump) {
    this.show(this.position.after(jump));
    this._glide(jump);
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
   * Draw arrows for jumps in place of earlier arrows.
   *
   * @param arrows [{jump, kind}]; a kind is "hint", "last", "wins", "loses" or "illegal"; the last three also have
   *     a tick or a cross.
   */
  point(arrows) {
    this.clear("arrows");
    const group = this._group("arrows");
    for (const { jump, kind } of arrows) group.append(drawArrow(jump, kind));
  }

  /** Remove marks: "choice" or "arrows". */
  clear(kind) {
    this.markLayer.querySelectorAll(`.${kind}`).forEach((marks) => marks.remove());
  }

  /** Return the cell of the keyboard's cursor, [row, col]. */
  get cursor() {
    return this._cursor;
  }

  /** Put the keyboard's cursor on a cell; with `focus`, the page's focus too. */
  moveTo(cell, focus = true) {
    this.targets.get(`${this._cursor}`)?.setAttribute("tabindex", "-1");
    this._cursor = cell;
    const target = this.targets.get(`${cell}`);
    target.setAttribute("tabindex", "0");
    if (focus) target.focus();
  }

  /** Move the cursor to the next hole by an arrow key, wrapping round so that every hole can be reached. */
  step(key) {
    const byColumns = (one, other) => one[1] - other[1] || one[0] - other[0];
    const vertical = key === "ArrowUp" || key === "ArrowDown";
    const holes = vertical ? this.position.holes.sort(byColumns) : this.position.holes;
    const here = holes.findIndex((cell) => sameCell(cell, this._cursor));
    const by = key === "ArrowRight" || key === "ArrowDown" ? 1 : -1;
    this.moveTo(holes[(here + by + holes.length) % holes.length]);
  }

  // ---- drawing -----------------------------------------------------------------------------------

  _frame(labels, [leastColumns, leastRows]) {
    const rows = this.position.holes.map(([row]) => row);
    const columns = this.position.holes.map(([, col]) => col);
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
    const rows = new Set(this.position.holes.map(([row]) => row));
    const columns = new Set(this.position.holes.map(([, col]) => col));
    for (const row of rows) {
      labels.append(draw("text", { x: (this.left - 0.4) * UNIT, y: (row + 0.5) * UNIT }, `${row}`));
    }
    for (const col of columns) {
      labels.append(draw("text", { x: (col + 0.5) * UNIT, y: (this.top - 0.4) * UNIT }, `${col}`));
    }
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
        this.moveTo([row, col]);
        onCell([row, col]);
      });
      rows.get(row).append(target);
      this.targets.set(`${[row, col]}`, target);
    }
    this._cursor = this.position.holes[0];
    this.moveTo(this._cursor, false);
  }

  /** Describe the drawing to screen readers. */
  _describe() {
    if (this.targets.size === 0) {
      const empty = this.position.holes.length - this.position.pegs;
      this.svg.setAttribute(
        "aria-label",
        `board with ${counted(this.position.pegs, "peg")} and ${counted(empty, "empty hole")}`,
      );
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

/** Return an SVG element. */
function draw(name, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** Return a gradient of [class, offset]...; the classes' colours are in the style sheet. */
function gradient(name, id, ...stops) {
  const attributes = stops.pop();
  return draw(
    name,
    { id, ...attributes },
    ...stops.map(([colour, offset]) => draw("stop", { class: colour, offset })),
  );
}

function centre([row, col]) {
  return { cx: (col + 0.5) * UNIT, cy: (row + 0.5) * UNIT };
}

/** Return an arrow along a jump, with a tick or a cross near its head where its kind has one. */
function drawArrow([row, col, rowEnd, colEnd], kind) {
  const [from, to] = [centre([row, col]), centre([rowEnd, colEnd])];
  const length = Math.hypot(to.cx - from.cx, to.cy - from.cy) || 1;
  const [x, y] = [(to.cx - from.cx) / length, (to.cy - from.cy) / length];
  const point = (along, across) =>
    `${from.cx + x * along - y * across} ${from.cy + y * along + x * across}`;
  const tip = length - 24; // short of the centre, so that arrows that meet in a hole stay distinct
  const shaft = `M${point(0, 0)}L${point(tip - 24, 0)}`;
  const head = `M${point(tip - 30, -20)}L${point(tip, 0)}L${point(tip - 30, 20)}z`;
  const arrow = draw(
    "g",
    { class: `arrow ${kind}` },
    draw("path", { class: "outline", d: shaft + head }),
    draw("path", { class: "shaft", d: shaft }),
    draw("path", { class: "head", d: head }),
  );
  const signs = { wins: "M-9 1l6 7l12 -15", loses: "M-8 -8l16 16M-8 8l16 -16", illegal: "M-8 -8l16 16M-8 8l16 -16" };
  if (kind in signs) {
    arrow.append(
      draw(
        "g",
        { transform: `translate(${point(length * 0.58, 0)})` },
        draw("circle", { class: "badge", r: 20 }),
        draw("path", { class: "sign", d: signs[kind] }),
      ),
    );
  }
  return arrow;
}

/** Animate, unless the reader prefers no motion. */
function animate(element, frames) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  element.animate(frames, { duration: 240, easing: "ease-in-out" });
}
