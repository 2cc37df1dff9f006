"use strict";

/*
 * The boards of the course, or the one that the address names (play.html#english): play/play.js plays it.
 *
 * play.js finds its board in the page when it starts, so it is loaded after the board.
 */

/** What play.js has for hints, which need a server: here there are none. */
class Hints {
  isRunning = false;
  ask() {}
  playShown() {}
  cancel() {}
  forget() {}
}

addEventListener("hashchange", () => location.reload()); // play.js itself changes the address without this event
const [named, jumps] = decodeURI(location.hash.slice(1)).split("/");
(named ? showBoard(named, jumps) : showMenu()).catch((error) => {
  byId("said").textContent = `${error.message}. Choose one of the boards instead.`;
  if (named) showMenu();
});

async function showBoard(name, jumps) {
  const cells = await fetchBoard(name);
  byId("data").textContent = JSON.stringify({ board: name, cells, jumps: legalPart(cells, jumps), helpers: [] });
  byId("board-name").textContent = name;
  document.title = `${name} · Peg Solitaire`;
  byId("game").hidden = false;
  document.body.append(element("script", { src: "play/play.js" }));
}

/** Return the board's 64 cells. */
async function fetchBoard(name) {
  const response = await fetch(`boards/${encodeURIComponent(name)}.txt`);
  const position = response.ok ? parseBoard(await response.text()) : null;
  if (position === null) throw new Error(`There is no board ${name} here`);
  return position.cells;
}

/** Return the jumps in the address, up to the first that cannot be played. */
function legalPart(cells, text) {
  const legal = [];
  let position = new Position(cells);
  for (const jump of text ? parseJumps(text) : []) {
    if (jump.length !== 4 || !position.isLegal(jump)) break;
    legal.push(jump);
    position = position.after(jump);
  }
  return legal;
}

/** Show every board of the tasks, drawn. */
async function showMenu() {
  const { tasks } = await (await fetch("course.json")).json();
  const checks = tasks.flatMap((task) => task.boards.filter(({ pegs }) => pegs != null));
  const boards = new Map(checks.map(({ name, board = name, pegs }) => [board, pegs]));
  byId("board-name").textContent = "Boards";
  byId("menu").hidden = false;
  byId("menu").replaceChildren(...Array.from(boards, ([name, pegs]) => {
    const picture = draw("svg", { "aria-hidden": "true" });
    fetchBoard(name).then((cells) => new BoardView(picture, parseBoard(cells), { least: [5, 4] }), () => picture.remove());
    const link = element("a", { href: `#${encodeURI(name)}` }, picture, element("span", { class: "name" }, name));
    return element("li", {}, link, element("p", { class: "pegs" }, counted(pegs, "peg")));
  }));
}
