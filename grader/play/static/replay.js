"use strict";

/* The page that replays a solution: step, run, scrub; it stops at an illegal jump, drawn and explained. */

const STEP_MS = 900; // between two jumps at speed 1

const data = pageData();
const first = parseBoard(data.cells);
const fault = data.fault ?? null;
const legal = fault === null ? data.jumps : data.jumps.slice(0, fault.jump - 1);
const game = new Game(first, legal);
const steps = legal.length + (fault === null ? 0 : 1); // the attempt at the illegal jump is a step, too
const view = new BoardView(byId("board"), first, { labels: true, least: [6, 1] });
const board = /^[\w@,+-]+$/.test(data.board) ? data.board : data.cells; // a board from a file has no name in an address
let at = 0;
let timer = null;

byId("scrub").max = steps;
game.goTo(0);
show(0);

onPress(byId("first"), () => stopAnd(() => show(0)));
onPress(byId("back"), () => stopAnd(() => show(at - 1)));
onPress(byId("run"), run);
onPress(byId("next"), () => stopAnd(() => show(at + 1)));
onPress(byId("last"), () => stopAnd(() => show(steps)));
byId("scrub").addEventListener("input", () => stopAnd(() => show(Number(byId("scrub").value))));
byId("speed").addEventListener("change", () => timer !== null && schedule());
onKeys({
  ArrowLeft: () => stopAnd(() => show(at - 1)), ArrowRight: () => stopAnd(() => show(at + 1)),
  Home: () => stopAnd(() => show(0)), End: () => stopAnd(() => show(steps)),
  " ": run,
});

/** Show the position after so many steps; a change of one jump is animated. */
function show(step) {
  const before = game.at;
  at = Math.max(0, Math.min(step, steps));
  game.goTo(at);
  view.point([]);
  if (game.at === before + 1) {
    view.play(game.jumps[before]);
  } else if (game.at === before - 1) {
    view.takeBack(game.jumps[game.at]);
  } else if (game.at !== before) {
    view.show(game.position);
  }
  const isFault = at > legal.length;
  if (isFault) {
    view.point([{ jump: data.jumps[fault.jump - 1], kind: "illegal" }]);
  } else if (at > 0) {
    view.point([{ jump: legal[at - 1], kind: "last" }]);
  }
  tell(isFault);
}

function tell(isFault) {
  byId("scrub").value = at;
  byId("scrub").setAttribute("aria-valuetext", `jump ${at} of ${data.jumps.length}`);
  byId("pegs-count").textContent = game.position.pegs;
  byId("jumps-count").textContent = `${game.at} of ${data.jumps.length}`;
  byId("moves-count").textContent = game.moves;
  for (const id of ["first", "back"]) enable(byId(id), at > 0);
  for (const id of ["next", "last"]) enable(byId(id), at < steps);
  byId("game").dataset.state = isFault ? "lost" : at === steps && game.position.pegs === 1 ? "won" : "open";
  byId("status").dataset.state = byId("game").dataset.state;
  byId("status").textContent = words(isFault);
  byId("from-here").href = addressOf(board, game.played);
}

function words(isFault) {
  const pegs = counted(game.position.pegs, "peg");
  if (isFault) {
    return `Jump ${fault.jump}, ${formatJump(data.jumps[fault.jump - 1])}, is illegal: it ${fault.reason}.`;
  }
  if (at === 0) return `The beginning: ${pegs}.`;
  const jump = `Jump ${at} of ${data.jumps.length}: ${formatJump(legal[at - 1])}.`;
  if (at < steps) return jump;
  return `${jump} ${pegs} ${game.position.pegs === 1 ? "is" : "are"} left.`;
}

/** Run or stop; at the end, run again from the beginning. */
function run() {
  if (timer !== null) {
    stop();
  } else {
    if (at === steps) show(0);
    schedule();
  }
}

function schedule() {
  clearInterval(timer);
  timer = setInterval(() => {
    show(at + 1);
    if (at === steps) stop();
  }, STEP_MS / Number(byId("speed").value));
  byId("run").textContent = "Pause";
}

function stop() {
  clearInterval(timer);
  timer = null;
  byId("run").textContent = "Run";
}

function stopAnd(action) {
  stop();
  action();
}
