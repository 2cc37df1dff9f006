// @ts-check

/* Make a board: by clicking, by typing, or at random; see whether it can be solved; play it, or save it as a file. */

import { readBoard } from "./board-text.js";
import { judgeOf } from "./judge.js";
import { addressOf, byId, element, enable, onPress } from "./page.js";
import { Position, SIZE, counted, formatBoard } from "./position.js";

const NEXT = { "-": "*", "*": "o", "o": "-" };
const NAMES = { "-": "no hole", "*": "peg", "o": "empty hole" };
const PAUSE_MS = 400; // after the last click, before the oracle is asked
const STEPS = { ArrowUp: -SIZE, ArrowDown: SIZE, ArrowLeft: -1, ArrowRight: 1 };

let position = null;
let asking = null; // the timer of the running question
let judge = () => null; // who says whether the board that is shown can be solved
const cells = Array.from({ length: SIZE * SIZE }, (_, index) => makeCell(index));

/**
 * @param data `cells` of the first board; `helpers`, as for hints; `random`: whether there are random boards.
 * @param backend as for hints; `random` makes a board.
 */
export function makeBoard({ cells: first, helpers, random = false }, backend) {
  byId("cells").append(...Array.from({ length: SIZE }, (_, row) =>
    element("div", { role: "row" }, ...cells.slice(row * SIZE, (row + 1) * SIZE))));
  byId("own-text").addEventListener("input", () => {
    const { fault, position: typed } = readBoard(byId("own-text").value);
    tellFault(fault ? `${fault}; until it is mended the board stays as it was` : undefined);
    if (!fault) show(typed, false);
  });
  onPress(byId("play"), () => {
    if (position.pegs > 0) location.href = addressOf(position.cells);
  });
  onPress(byId("ask"), () => ask(true));
  byId("save").addEventListener("click", () => {
    byId("save").href = URL.createObjectURL(new Blob([formatBoard(position)], { type: "text/plain" }));
  });
  if (random) onPress(byId("new-random"), () => newRandom(backend));
  judge = () => judgeOf(helpers, position.holes, backend.ask);
  backend.follow((found) => (helpers = found));
  show(new Position(first));
}

function makeCell(index) {
  const cell = element("button", { type: "button", role: "gridcell", tabindex: index === 0 ? "0" : "-1" });
  cell.addEventListener("click", () => {
    const [row, col] = [Math.floor(index / SIZE), index % SIZE];
    show(position.with([row, col, NEXT[position.cells[index]]]));
  });
  cell.addEventListener("keydown", (event) => {
    const next = cells[index + (STEPS[event.key] ?? NaN)];
    if (!next) return;
    event.preventDefault();
    next.focus();
  });
  cell.addEventListener("focus", () => cells.forEach((each) => each.setAttribute("tabindex", each === cell ? "0" : "-1")));
  return cell;
}

/** Show another board, in the text too unless it comes from there, and find out whether it can be solved. */
function show(next, inText = true) {
  position = next;
  cells.forEach((cell, index) => {
    const what = position.cells[index];
    cell.className = `cell ${NAMES[what].replace(" ", "-")}`;
    cell.setAttribute("aria-label", `row ${Math.floor(index / SIZE)} column ${index % SIZE}, ${NAMES[what]}`);
  });
  if (inText) {
    byId("own-text").value = formatBoard(position).trimEnd();
    tellFault(position.pegs > 0 ? undefined : "the board has no peg: put one, “*”, on it");
  }
  enable(byId("play"), position.pegs > 0);
  byId("counted").textContent = `${counted(position.pegs, "peg")}, ${counted(position.holes.length, "hole")}`;
  clearTimeout(asking);
  asking = setTimeout(() => ask(false), PAUSE_MS);
}

function tellFault(fault) {
  byId("own-fault").textContent = fault ?? "";
  byId("own-text").setAttribute("aria-invalid", `${fault !== undefined}`);
}

/** Say whether the board can be solved; a program is asked only if somebody wants it. */
async function ask(isWanted) {
  const asked = position;
  const judging = judge();
  byId("ask").hidden = true;
  byId("solvable").textContent = "";
  if (judging === null || asked.pegs === 0) return;
  if (!judging.atOnce && !isWanted) {
    byId("ask").textContent = `Can it be solved? Ask ${judging.name}`;
    byId("ask").hidden = false;
    return;
  }
  byId("solvable").textContent = `asking ${judging.name} …`;
  const found = await judging.ask(asked.cells);
  if (asked !== position) return; // changed meanwhile
  const says = judging.isTruth ? "" : `${judging.name} says: `;
  const words = typeof found === "string" ? found : found.get(asked.cells) ? "it can be solved" : "it cannot be solved";
  byId("solvable").textContent = says + words;
}

async function newRandom(backend) {
  if (byId("new-random").getAttribute("aria-disabled") === "true") return;
  enable(byId("new-random"), false);
  byId("random-said").textContent = "looking for one …";
  const [kind, pegs] = [byId("kind").value, byId("pegs").value];
  const answer = await backend.random({ kind, pegs, cells: position.cells }).answer;
  enable(byId("new-random"), true);
  byId("random-said").textContent = [answer.message, answer.help].filter(Boolean).join(": ");
  if (answer.cells) show(new Position(answer.cells));
}
