// @ts-check

/* Read a board that somebody typed: 8 rows of 8 cells, or the 49 characters of the hashing lab. */

import { SIZE, counted, parseBoard } from "../web/position.js";

const WIDTH = 7; // of the lab's board: the English board's holes, "1" a peg, "0" an empty hole or no hole
const isHole = (cell) => [Math.floor(cell / WIDTH), cell % WIDTH].some((number) => number >= 2 && number <= 4);

/** Return {position} or, if the text is no board, {fault}: its place, what was expected and what was found. */
export function readBoard(text) {
  const isCells49 = /^\s*[01]/.test(text);
  const fault = isCells49 ? fault49(text) : fault64(text);
  if (fault !== null) return { fault };
  return { position: parseBoard(isCells49 ? from49(text.replace(/\s/g, "")) : text) };
}

function fault64(text) {
  const wrong = wrongCharacter(text, /[^\s.*o-]/, "“.”, “*” or “o”");
  if (wrong !== null) return wrong;
  const cells = text.replace(/\s/g, "").length;
  if (cells !== SIZE * SIZE) return `expected 8 rows of 8 cells, which is 64, found ${counted(cells, "cell")}`;
  return text.includes("*") ? null : "the board has no peg: put one, “*”, on it";
}

function fault49(text) {
  const wrong = wrongCharacter(text, /[^\s01]/, "“0” or “1”");
  if (wrong !== null) return wrong;
  const cells = [...text.replace(/\s/g, "")];
  if (cells.length !== WIDTH * WIDTH) return `expected 49 characters “0” and “1”, found ${cells.length}`;
  const corner = cells.findIndex((character, cell) => character === "1" && !isHole(cell));
  if (corner >= 0) return `character ${corner + 1}: expected “0”, found a peg: the 2 × 2 corners are no holes`;
  return cells.includes("1") ? null : "the board has no peg: put one, “1”, on it";
}

function wrongCharacter(text, wrong, expected) {
  for (const [row, line] of text.split("\n").entries()) {
    const col = line.search(wrong);
    if (col >= 0) return `line ${row + 1}, character ${col + 1}: expected ${expected}, found “${line[col]}”`;
  }
  return null;
}

function from49(characters) {
  return Array.from({ length: SIZE * SIZE }, (_, index) => {
    const [row, col] = [Math.floor(index / SIZE), index % SIZE];
    const cell = row * WIDTH + col;
    if (row >= WIDTH || col >= WIDTH || !isHole(cell)) return "-";
    return characters[cell] === "1" ? "*" : "o";
  }).join("");
}
