// @ts-check

/*
 * The rules: a board is a text of 64 cells, "*" peg, "o" empty hole, "-" no hole, and a jump is
 * [row_start, col_start, row_end, col_end]. Nothing here asks a server, or draws.
 */

/** @typedef {number[]} Cell a row and a column */
/** @typedef {number[]} Jump a row and a column before and after */

export const SIZE = 8;
const GOALS = `
* * * * * * * *
* * * * * * * *
* * * * * * * *
* * * * * * * *
* * * * * * * *
* * * * * * * *
* * * * * * * *
* * * * * * * *
`.split(/\s+/).join(""); // as in framework/rules.py
const DIRECTIONS = [[1, 0], [0, 1], [-1, 0], [0, -1]]; // down, right, up, left

/** An immutable board of pegs: `after` returns a new one. */
export class Position {
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

  /** Whether a single peg is left, on a goal. */
  get isWon() {
    return this.pegs === 1 && GOALS[this.cells.indexOf("*")] === "*";
  }

  /** Return the cells other than "-", as [row, col], row by row. */
  get holes() {
    return [...this.cells].flatMap((cell, index) => (cell === "-" ? [] : [[Math.floor(index / SIZE), index % SIZE]]));
  }

  /** Return the legal jumps; the jumping pegs go row by row. */
  get jumps() {
    return this.holes.flatMap(([row, col]) => this.jumpsFrom(row, col));
  }

  /** Return the legal jumps of the peg in a cell. */
  jumpsFrom(row, col) {
    const jumps = DIRECTIONS.map(([down, right]) => [row, col, row + 2 * down, col + 2 * right]);
    return jumps.filter((jump) => this.isLegal(jump));
  }

  isLegal(jump) {
    const [row, col, rowEnd, colEnd] = jump;
    const straight = [Math.abs(rowEnd - row), Math.abs(colEnd - col)].sort().join() === "0,2";
    const [rowOver, colOver] = cellBetween(jump);
    return straight && this.at(row, col) === "*" && this.at(rowOver, colOver) === "*" && this.at(rowEnd, colEnd) === "o";
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
export function cellBetween([row, col, rowEnd, colEnd]) {
  return [(row + rowEnd) / 2, (col + colEnd) / 2];
}

/** Return a jump as `grade` writes it. */
export function formatJump([row, col, rowEnd, colEnd]) {
  return `${row}:${col} → ${rowEnd}:${colEnd}`;
}

/** Return the jumps in a text such as "3133.2123", as in a page's address. */
export function parseJumps(text) {
  return text.split(".").map((digits) => [...digits].map(Number));
}

/** Return jumps as such a text. */
export function joinJumps(jumps) {
  return jumps.map((jump) => jump.join("")).join(".");
}

/** Return "1 peg" or "2 pegs". */
export function counted(count, word) {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}

export function sameCell(one, other) {
  return one !== null && other !== null && one[0] === other[0] && one[1] === other[1];
}

/** Return the position in a text of 64 cells or in a board file; null if there is none. */
export function parseBoard(text) {
  const cells = text.replace(/\s/g, "").replaceAll(".", "-");
  return /^[*o-]{64}$/.test(cells) ? new Position(cells) : null;
}

/** Return a position as the text of a board file. */
export function formatBoard({ cells }) {
  return cells.replaceAll("-", ".").match(/.{8}/g).map((row) => `${[...row].join(" ")}\n`).join("");
}

/** Return the jumps of a list up to the first that cannot be played. */
export function legalPart(position, jumps) {
  const legal = [];
  for (const jump of jumps) {
    if (!Array.isArray(jump) || jump.length !== 4 || !position.isLegal(jump)) break;
    legal.push(jump);
    position = position.after(jump);
  }
  return legal;
}
