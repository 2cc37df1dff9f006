// @ts-check

/* The page that plays a board: its input, its status line, and its address, which holds the position. */

import { BoardView } from "./board.js";
import { Game } from "./game.js";
import { counted, formatJump, parseBoard, sameCell } from "./position.js";
import { Timeline } from "./timeline.js";
import { addressOf, byId, enable, keep, kept, onKeys, onPress, positionOf, solvedBoards } from "./page.js";

const STEP_MS = 450; // between two jumps of a game that is run through
const WAYS = { ArrowDown: [2, 0, "down"], ArrowRight: [0, 2, "right"], ArrowUp: [-2, 0, "up"], ArrowLeft: [0, -2, "left"] };

export class Play {
  /**
   * @param data `board`: its name in an address; `cells`; `jumps` played so far; `best`: the fewest pegs and moves.
   * @param makeHints given this page, returns what gives hints, if any.
   */
  constructor(data, makeHints = (page) => null) {
    this.data = data;
    this.game = new Game(parseBoard(data.cells), data.jumps);
    this.chosen = null;
    this.illegal = null; // {cells, jump}: the jump that ends a helper's illegal solution
    this.view = new BoardView(byId("board"), this.game.position, {
      labels: true, least: [6, 1],
      onCell: (cell) => this.onCell(cell),
      onLift: (cell) => this.choose(this.game.position.jumpsFrom(...cell).length > 0 ? cell : null),
      onDrop: (from, to) => this.onDrop(from, to),
    });
    this.timer = null; // while the jumps to come are run through
    this.hints = makeHints(this);
    this.timeline = new Timeline(this.game, () => this.hints?.judge ?? null, {
      onGo: (at) => this.pauseAnd(() => this.goTo(at)),
      onLost: (at, jump) => {
        this.goTo(at);
        this.view.point([{ jump, kind: "loses" }]);
      },
    });
    this._rememberedFuture();
    this.view.moveTo(this.game.position.jumps[0]?.slice(0, 2) ?? this.view.cursor, false);
    this.tell("");
    this._listen();
  }

  _listen() {
    const back = () => this.pauseAnd(() => this.undo());
    const forth = () => this.pauseAnd(() => this.goTo(this.game.at + 1));
    const toEnd = () => this.pauseAnd(() => this.goTo(this.game.jumps.length));
    const toStart = () => this.pauseAnd(() => this.goTo(0));
    const restart = () => this.pauseAnd(() => this.restart());
    const walk = (key) => this.move(key);
    const buttons = { undo: back, redo: forth, first: toStart, last: toEnd, restart };
    for (const [id, action] of Object.entries(buttons)) onPress(byId(id), action);
    onPress(byId("run"), () => this.run(this.timer === null));
    onPress(byId("keys-open"), () => byId("keys").showModal());
    onPress(byId("keys-close"), () => byId("keys").close());
    onKeys({
      ArrowLeft: walk, ArrowRight: walk, ArrowUp: walk, ArrowDown: walk,
      Enter: () => this.press(), " ": () => this.press(),
      u: back, r: forth, R: restart, "Ctrl+z": back, "Ctrl+y": forth, "Ctrl+Z": forth,
      Home: toStart, End: toEnd,
      h: () => this.hints?.ask(), p: () => this.hints?.playShown(), Escape: () => this.escape(),
      "?": () => byId("keys").showModal(),
    });
  }

  // ---- choosing and jumping ----------------------------------------------------------------------

  /** Choose a peg, or jump: with the chosen peg, or at once with a peg that can land in one hole only. */
  onCell(cell, atOnce = true) {
    this.run(false);
    const { position } = this.game;
    const jump = this.chosen && position.jumpsFrom(...this.chosen).find((each) => sameCell(each.slice(2), cell));
    const name = cell.join(":");
    const jumps = position.jumpsFrom(...cell);
    if (jump) {
      this.play(jump);
    } else if (sameCell(cell, this.chosen)) {
      const hasJumped = sameCell(this.game.played.at(-1)?.slice(2) ?? null, cell); // it is pressed to go on
      this.choose(hasJumped ? cell : null);
      this.tell(hasJumped ? this._selectHole() : "");
    } else if (position.at(...cell) === "o") {
      const why = this.chosen ? `${this.chosen.join(":")} cannot jump to ${name}.` : `${name} is empty. Choose a peg first.`;
      this.refuse(cell, why);
    } else if (jumps.length === 0) {
      this.choose(null);
      this.refuse(cell, `${name} cannot jump.`);
    } else {
      this.choose(cell);
      if (jumps.length === 1 && atOnce) this.play(jumps[0]);
      else this.tell(this._selectHole());
    }
  }

  onDrop(from, to) {
    this.run(false);
    if (to === null) return this.escape();
    const jump = this.game.position.jumpsFrom(...from).find((each) => sameCell(each.slice(2), to));
    this.view.moveTo(jump ? to : from, false);
    if (jump) this.play(jump, { isThere: true });
    else this.refuse(from, `${from.join(":")} cannot jump to ${to.join(":")}.`);
  }

  /** Return what to do with the chosen peg. */
  _selectHole() {
    const landings = this.game.position.jumpsFrom(...this.chosen).map((each) => each.slice(2).join(":"));
    return `${this.chosen.join(":")} can jump to ${landings.join(" or ")}: select a hole.`;
  }

  choose(cell) {
    this.chosen = cell;
    this.view.choose(cell);
  }

  /** Say why nothing happens, and mark the cell. */
  refuse(cell, why) {
    this.tell(why);
    this.view.badge([cell], false);
  }

  /** Play a jump; a peg that can go on stays chosen, if it was chosen. */
  play(jump, how = {}) {
    const { game, view } = this;
    const goesOn = this.chosen !== null && sameCell(this.chosen, jump.slice(0, 2));
    game.play(jump);
    this._keepSolved();
    this.choose(null);
    view.play(jump, how);
    view.moveTo(jump.slice(2), view.svg.contains(document.activeElement));
    this.choose(game.position.jumpsFrom(...jump.slice(2)).length > 0 && goesOn ? jump.slice(2) : null);
    this._changed([`${formatJump(jump)}.`, ...(this.chosen ? [this._selectHole()] : [])].join(" "));
  }

  /** Jump with the chosen peg in the direction of an arrow key, or go to the next hole. */
  move(key) {
    const { view } = this;
    if (view.svg.contains(document.activeElement)) {
      if (this.chosen !== null && sameCell(this.chosen, view.cursor)) return this._jumpTo(key);
      view.step(key);
    } else if (document.activeElement === document.body) {
      view.moveTo(view.cursor);
    } else {
      return false; // leave the key to the button or the page
    }
  }

  _jumpTo(key) {
    const [row, col] = this.chosen;
    const [down, right, word] = WAYS[key];
    const jump = [row, col, row + down, col + right];
    if (!this.game.position.isLegal(jump)) return this.refuse(this.chosen, `${row}:${col} cannot jump ${word}.`);
    this.choose(null); // a next arrow moves on; Enter chooses the peg again
    this.play(jump);
  }

  press() {
    if (!this.view.svg.contains(document.activeElement)) return false;
    this.onCell(this.view.cursor, false);
  }

  escape() {
    this.run(false);
    if (this.hints?.running) {
      this.hints.cancel();
    } else {
      this.choose(null);
      this.tell("");
    }
  }

  // ---- the history -------------------------------------------------------------------------------

  /** Run through the jumps to come, or pause. */
  run(isOn) {
    clearInterval(this.timer);
    const step = () => {
      this.goTo(this.game.at + 1);
      if (!this.game.canRedo) this.run(false);
    };
    this.timer = isOn ? setInterval(step, STEP_MS) : null;
    byId("run").textContent = isOn ? "Pause" : "Play";
  }

  pauseAnd(action) {
    this.run(false);
    action();
  }

  undo() {
    const { game } = this;
    if (!game.canUndo) return;
    if (game.at > 0) {
      this.goTo(game.at - 1);
    } else {
      game.undo();
      this._showGame("Back to the previous game.");
    }
  }

  goTo(at) {
    const { game, view } = this;
    const before = game.at;
    game.goTo(at);
    if (game.at === before) return;
    this.choose(null);
    view.follow(game, before);
    if (game.at === before + 1) this._changed(`${formatJump(game.jumps[before])} again.`);
    else if (game.at === before - 1) this._changed(`${formatJump(game.jumps[game.at])} taken back.`);
    else if (game.at === 0) this._changed("At the beginning.");
    else this._changed(game.canRedo ? `After jump ${game.at}.` : "At the end of the history.");
  }

  restart() {
    if (this.game.jumps.length === 0) return;
    this.game.restart();
    this._showGame("New game. Undo brings the old one back.");
  }

  _showGame(said) {
    this.choose(null);
    this.view.show(this.game.position);
    this._changed(said);
  }

  /** Put a program's jumps behind those that are played, and run through them; `illegal` is one it ends with. */
  playRest(jumps, illegal = null, isRun = true) {
    this.game.plan(jumps);
    const end = this.game.positions[this.game.jumps.length];
    this.illegal = illegal && { ...illegal, cells: end.cells };
    this._showGame(`${counted(jumps.length, "jump")} to come.`);
    if (isRun && jumps.length > 0) this.run(true);
  }

  // ---- status and storage ------------------------------------------------------------------------

  /** Update the page after a change of position: drop the hint, save the game, and change the address. */
  _changed(said) {
    const { data, game } = this;
    this.hints?.forget();
    this.view.point([]);
    this.tell(said);
    if (data.rest) return; // a replay keeps its address, and the game that is kept of this board
    keep(() => sessionStorage, `game ${data.board}`, { jumps: game.jumps, at: game.at });
    history.replaceState(null, "", addressOf(positionOf(data.board, game.played))); // last, because Safari throws if called too often
  }

  /** Remember that the board is solved, and the fewest moves in which it was, for the menu. */
  _keepSolved() {
    const [solved, { board }, { moves }] = [solvedBoards(), this.data, this.game];
    const isBetter = this._standing()[0] === "won" && !(solved[board] <= moves);
    if (isBetter) keep(() => localStorage, "solved", { ...solved, [board]: moves });
  }

  /** After a reload, restore the jumps that were taken back. */
  _rememberedFuture() {
    const { game } = this;
    const isGame = (found) => Array.isArray(found?.jumps) && Number.isInteger(found.at);
    const future = kept(() => sessionStorage, `game ${this.data.board}`, isGame);
    if (future === null || `${future.jumps.slice(0, future.at)}` !== `${game.jumps}`) return;
    game.plan(future.jumps.slice(future.at));
  }

  /** Show the counters, what has happened, and how the game stands. */
  tell(said) {
    const { game, view } = this;
    byId("pegs-count").textContent = game.position.pegs;
    byId("jumps-count").textContent = game.at;
    byId("moves-count").textContent = game.moves;
    enable(byId("undo"), game.canUndo);
    enable(byId("redo"), game.canRedo);
    enable(byId("first"), game.at > 0);
    enable(byId("last"), game.canRedo);
    enable(byId("restart"), game.jumps.length > 0);
    byId("run").hidden = !game.canRedo;
    const [state, words] = this._standing();
    byId("status").dataset.state = state;
    byId("status").textContent = `${said} ${words}`.trim() || "Choose a peg that can jump over another.";
    byId("game").dataset.state = state;
    view.badge(state === "open" ? [] : game.position.holes.filter((cell) => game.position.at(...cell) === "*"), state === "won");
    this._showIllegal();
    this.timeline.show();
  }

  _showIllegal() {
    if (this.illegal === null || this.illegal.cells !== this.game.position.cells) return;
    this.view.point([{ jump: this.illegal.jump, kind: "illegal" }]);
    byId("status").dataset.state = "lost";
    const { jump, reason } = this.illegal;
    byId("status").textContent = `Its next jump, ${formatJump(jump)}, is illegal${reason ? `: it ${reason}` : ""}.`;
  }

  /** Return how the game stands: "won", "lost" or "open", and in words. */
  _standing() {
    const { game } = this;
    const { pegs } = game.position;
    const { pegs: fewest, moves } = this.data.best ?? {};
    if (game.position.isWon) {
      const best = moves ? ` The fewest moves are ${moves}.` : "";
      const score = game.at === 0 ? "" : ` in ${counted(game.at, "jump")}, ${counted(game.moves, "move")}`;
      return ["won", `Solved: one peg is left${score}.${best}`];
    }
    if (game.position.jumps.length > 0) return ["open", ""];
    if (pegs === 1) return ["lost", "One peg is left, but not on a goal: it counts as two."];
    const left = `No jump is left: ${counted(pegs, "peg")} remain.`;
    if (fewest === pegs) return ["won", `${left} No game on this board leaves fewer.`];
    return ["lost", `${left}${fewest ? ` A perfect game leaves ${fewest}.` : ""}`];
  }
}
