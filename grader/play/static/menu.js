// @ts-check

/* The menu: its pictures, and a board of your own, which is typed. */

import { SIZE, counted, parseBoard } from "../web/position.js";
import { byId, drawPictures } from "./page.js";

drawPictures();

byId("own").addEventListener("submit", (event) => {
  event.preventDefault();
  const text = byId("own-text").value;
  const fault = boardFault(text);
  byId("own-fault").textContent = fault ?? "";
  byId("own-text").setAttribute("aria-invalid", `${fault !== null}`);
  if (fault === null) {
    location.href = `/play/${parseBoard(text).cells}`;
  } else {
    byId("own-text").focus();
  }
});

/** Return the fault in a board's text, with its place; null if there is none. */
function boardFault(text) {
  for (const [row, line] of text.split("\n").entries()) {
    const col = line.search(/[^\s.*o-]/);
    if (col >= 0) return `line ${row + 1}, character ${col + 1}: expected “.”, “*” or “o”, found “${line[col]}”`;
  }
  const cells = text.replace(/\s/g, "").length;
  if (cells !== SIZE * SIZE) return `expected 8 rows of 8 cells, which is 64, found ${counted(cells, "cell")}`;
  return text.includes("*") ? null : "the board has no peg: put one, “*”, on it";
}
