"use strict";

/* The page that plays a board: its input, its status line, and its address, which holds the position. */

const data = pageData();
const game = new Game(parseBoard(data.cells), data.jumps);
const view = new BoardView(byId("board"), game.position, { labels: true, least: [6, 1], onCell });
const hints = new Hints(data.helpers, () => game.position, play, view);
let chosen = null;

rememberedFuture();
view.moveTo(game.position.jumps[0]?.slice(0, 2) ?? view.cursor, false);
tell("");

onPress(byId("undo"), undo);
onPress(byId("redo"), () => goTo(game.at + 1));
onPress(byId("first"), () => goTo(0));
onPress(byId("last"), () => goTo(game.jumps.length));
onPress(byId("restart"), restart);
onPress(byId("share"), share);
onPress(byId("keys-open"), () => byId("keys").showModal());
onPress(byId("keys-close"), () => byId("keys").close());
onKeys({
  ArrowLeft: move, ArrowRight: move, ArrowUp: move, ArrowDown: move,
  Enter: press, " ": press,
  u: undo, r: () => goTo(game.at + 1), R: restart,
  Home: () => goTo(0), End: () => goTo(game.jumps.length),
  h: () => hints.ask(), p: () => hints.playShown(), Escape: escape,
  "?": () => byId("keys").showModal(),
});

// ---- choosing and jumping ------------------------------------------------------------------------

/** Choose a peg, or jump: with the chosen peg, or at once with a peg that can land in one hole only. */
function onCell(cell) {
  const jump = chosen && game.position.jumpsFrom(...chosen).find((each) => sameCell(each.slice(2), cell));
  const name = cell.join(":");
  if (jump) {
    play(jump);
  } else if (sameCell(cell, chosen)) {
    choose(null);
    tell("");
  } else if (game.position.at(...cell) === "o") {
    tell(chosen ? `${chosen.join(":")} cannot jump to ${name}.` : `${name} is empty. Choose a peg first.`);
  } else {
    const jumps = game.position.jumpsFrom(...cell);
    choose(jumps.length > 0 ? cell : null);
    if (jumps.length === 1) play(jumps[0]);
    else tell(jumps.length > 0 ? selectHole() : `${name} cannot jump.`);
  }
}

/** Return what to do with the chosen peg. */
function selectHole() {
  const landings = game.position.jumpsFrom(...chosen).map((each) => each.slice(2).join(":"));
  return `${chosen.join(":")} can jump to ${landings.join(" or ")}: select a hole.`;
}

function choose(cell) {
  chosen = cell;
  view.choose(cell);
}

/** Play a jump; a peg that can go on stays chosen, if it was chosen. */
function play(jump) {
  const goesOn = chosen !== null && sameCell(chosen, jump.slice(0, 2));
  game.play(jump);
  choose(null);
  view.play(jump);
  view.moveTo(jump.slice(2), view.svg.contains(document.activeElement));
  const landing = game.position.jumpsFrom(...jump.slice(2)).length > 0 && goesOn ? jump.slice(2) : null;
  choose(landing);
  changed([`${formatJump(jump)}.`, ...(chosen ? [selectHole()] : [])].join(" "));
}

function move(key) {
  if (view.svg.contains(document.activeElement)) {
    view.step(key);
  } else if (document.activeElement === document.body) {
    view.moveTo(view.cursor);
  } else {
    return false; // leave the key to the button or the page
  }
}

function press() {
  if (!view.svg.contains(document.activeElement)) return false;
  onCell(view.cursor);
}

function escape() {
  if (hints.isRunning) {
    hints.cancel();
  } else {
    choose(null);
    tell("");
  }
}

// ---- the history -----------------------------------------------------------------------------------

function undo() {
  if (!game.canUndo) return;
  if (game.at > 0) {
    goTo(game.at - 1);
  } else {
    game.undo();
    showGame("Back to the previous game.");
  }
}

function goTo(at) {
  const before = game.at;
  game.goTo(at);
  if (game.at === before) return;
  choose(null);
  if (game.at === before + 1) {
    view.play(game.jumps[before]);
    changed(`${formatJump(game.jumps[before])} again.`);
  } else if (game.at === before - 1) {
    view.takeBack(game.jumps[game.at]);
    changed(`${formatJump(game.jumps[game.at])} taken back.`);
  } else {
    showGame(game.at === 0 ? "At the beginning." : "At the end of the history.");
  }
}

function restart() {
  if (game.jumps.length === 0) return;
  game.restart();
  showGame("New game. Undo brings the old one back.");
}

function showGame(said) {
  choose(null);
  view.show(game.position);
  changed(said);
}

// ---- status and storage ----------------------------------------------------------------------------

/** Update the page after a change of position: drop the hint, save the game, and change the address. */
function changed(said) {
  hints.forget();
  tell(said);
  storage()?.setItem(`game ${data.board}`, JSON.stringify({ jumps: game.jumps, at: game.at }));
  history.replaceState(null, "", addressOf(data.board, game.played)); // last, because Safari throws if called too often
}

/** After a reload, restore the jumps that were taken back. */
function rememberedFuture() {
  const kept = JSON.parse(storage()?.getItem(`game ${data.board}`) ?? "null");
  if (kept === null || `${kept.jumps.slice(0, kept.at)}` !== `${game.jumps}`) return;
  for (const jump of kept.jumps.slice(kept.at)) {
    if (!game.position.isLegal(jump)) return; // saved by hand, or by another version of this page
    game.play(jump);
  }
  game.goTo(kept.at);
}

/** Return what outlives a reload; null where the browser refuses to keep anything. */
function storage() {
  try {
    return sessionStorage;
  } catch {
    return null;
  }
}

/** Show the counters, what has happened, and how the game stands. */
function tell(said) {
  byId("pegs-count").textContent = game.position.pegs;
  byId("jumps-count").textContent = game.at;
  byId("moves-count").textContent = game.moves;
  enable(byId("undo"), game.canUndo);
  enable(byId("redo"), game.canRedo);
  enable(byId("first"), game.at > 0);
  enable(byId("last"), game.canRedo);
  enable(byId("restart"), game.jumps.length > 0);
  const [state, words] = standing();
  byId("status").dataset.state = state;
  byId("status").textContent = `${said} ${words}`.trim() || "Choose a peg that can jump over another.";
  byId("game").dataset.state = state;
}

/** Return how the game stands: "won", "lost" or "open", and in words. */
function standing() {
  const pegs = game.position.pegs;
  const { pegs: fewest, moves } = data.best ?? {};
  if (pegs === 1) {
    const best = moves ? ` The fewest moves are ${moves}.` : "";
    const score = game.at === 0 ? "" : ` in ${counted(game.at, "jump")}, ${counted(game.moves, "move")}`;
    return ["won", `Solved: one peg is left${score}.${best}`];
  }
  if (game.position.jumps.length > 0) {
    return ["open", ""];
  }
  const left = `No jump is left: ${counted(pegs, "peg")} remain.`;
  if (fewest === pegs) return ["won", `${left} No game on this board leaves fewer.`];
  return ["lost", `${left}${fewest ? ` A perfect game leaves ${fewest}.` : ""}`];
}

async function share() {
  const link = byId("link");
  link.value = location.href;
  byId("link-row").hidden = false;
  link.select();
  try {
    await navigator.clipboard.writeText(link.value);
    byId("link-said").textContent = `Copied. ${link.dataset.works}`;
  } catch {
    byId("link-said").textContent = `Copy this link. ${link.dataset.works}`;
  }
}
