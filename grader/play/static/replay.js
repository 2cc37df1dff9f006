// @ts-check

/* The page that replays a solution: step, run, scrub; it stops at an illegal jump, drawn and explained. */

import { BoardView } from "../web/board.js";
import { parseBoard } from "../web/position.js";
import { Stepper } from "../web/stepper.js";
import { Runner } from "../web/runner.js";
import { addressOf, byId, enable, onKeys, onPress, pageData } from "../web/page.js";

const data = pageData();
const fault = data.fault ?? null;
const board = /^[\w@,+-]+$/.test(data.board) ? data.board : data.cells; // a board from a file has no name in an address
const view = new BoardView(byId("board"), parseBoard(data.cells), { labels: true, least: [6, 1] });
const played = {
  jumps: fault === null ? data.jumps : data.jumps.slice(0, fault.jump - 1),
  illegal: fault === null ? null : data.jumps[fault.jump - 1],
  reason: fault?.reason,
};
const stepper = new Stepper(view, played, tell);
const runner = new Runner(byId("run"), {
  step: () => stepper.show(stepper.at + 1),
  isOver: () => stepper.at === stepper.steps,
  again: () => stepper.show(0),
  speed: () => Number(byId("speed").value),
});

byId("scrub").max = stepper.steps;
stepper.show(0);

onPress(byId("first"), () => goTo(0));
onPress(byId("back"), () => goTo(stepper.at - 1));
onPress(byId("next"), () => goTo(stepper.at + 1));
onPress(byId("last"), () => goTo(stepper.steps));
byId("scrub").addEventListener("input", () => goTo(Number(byId("scrub").value)));
byId("speed").addEventListener("change", () => runner.changeSpeed());
onKeys({
  ArrowLeft: () => goTo(stepper.at - 1), ArrowRight: () => goTo(stepper.at + 1),
  Home: () => goTo(0), End: () => goTo(stepper.steps),
  " ": () => runner.toggle(),
});

function goTo(step) {
  runner.stop();
  stepper.show(step);
}

function tell({ at, steps, game, words, isFault }) {
  byId("scrub").value = at;
  byId("scrub").setAttribute("aria-valuetext", `jump ${at} of ${data.jumps.length}`);
  byId("pegs-count").textContent = game.position.pegs;
  byId("jumps-count").textContent = `${game.at} of ${data.jumps.length}`;
  byId("moves-count").textContent = game.moves;
  for (const id of ["first", "back"]) enable(byId(id), at > 0);
  for (const id of ["next", "last"]) enable(byId(id), at < steps);
  const isWon = at === steps && game.position.isWon;
  byId("game").dataset.state = isFault ? "lost" : isWon ? "won" : "open";
  byId("status").dataset.state = byId("game").dataset.state;
  byId("status").textContent = words;
  view.badge(isWon ? game.position.holes.filter((cell) => game.position.at(...cell) === "*") : [], true);
  byId("from-here").href = addressOf(board, game.played);
}
