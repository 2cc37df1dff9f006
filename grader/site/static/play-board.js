// @ts-check

/* The boards of the course, or the one that the address names (play.html#english): web/play.js plays it. */

import { filmAddress, loadTasks } from "./course.js";
import { BoardView } from "./web/board.js";
import { draw } from "./web/drawing.js";
import { byId, element } from "./web/page.js";
import { NO_HINTS, Play } from "./web/play.js";
import { counted, joinJumps, legalPart, parseBoard, parseJumps } from "./web/position.js";

addEventListener("hashchange", () => location.reload()); // the game itself changes the address without this event
const [named, jumps] = decodeURI(location.hash.slice(1)).split("/");
(named ? showBoard(named, jumps) : showMenu()).catch((error) => {
  byId("said").textContent = `${error.message}. Choose one of the boards instead.`;
  if (named) showMenu();
});

async function showBoard(name, jumps) {
  const [cells, tasks] = await Promise.all([fetchBoard(name), loadTasks()]);
  byId("board-name").textContent = name;
  document.title = `${name} · Peg Solitaire`;
  byId("game").hidden = false;
  const data = { board: name, cells, jumps: jumps ? legalPart(parseBoard(cells), parseJumps(jumps)) : [] };
  new Play(data, (page) => ({ ...NO_HINTS, forget: linkFilms(name, page.game, tasks) }));
}

/** Show links to the films of all tasks from the game's position; return what is to be called when that changes. */
function linkFilms(name, game, tasks) {
  const links = tasks.filter(({ film }) => film).map((task) => element("a", { target: "film" }, task.name));
  byId("films").append(...links.flatMap((link) => [" ", link]));
  const follow = () => {
    const position = [name, ...(game.at > 0 ? [joinJumps(game.played)] : [])].join("/");
    for (const link of links) link.href = filmAddress(link.textContent, position);
  };
  follow();
  return follow;
}

/** Return the board's 64 cells. */
async function fetchBoard(name) {
  const response = await fetch(`boards/${encodeURIComponent(name)}.txt`);
  const position = response.ok ? parseBoard(await response.text()) : null;
  if (position === null) throw new Error(`There is no board ${name} here`);
  return position.cells;
}

/** Show every board of the tasks, drawn. */
async function showMenu() {
  const tasks = await loadTasks();
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
