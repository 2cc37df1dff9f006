// @ts-check

/* The board that the address names (play.html#english), or the front page's own: web/play.js plays it. */

import { filmAddress, loadCourse } from "./course.js";
import { byId, element } from "./web/page.js";
import { NO_HINTS, Play } from "./web/play.js";
import { joinJumps, legalPart, parseBoard, parseJumps } from "./web/position.js";

addEventListener("hashchange", () => location.reload()); // the game itself changes the address without this event
const own = document.body.dataset.board; // of the front page, which earlier was the page to work on
const [named, jumps] = decodeURI(location.hash.slice(1)).split("/");
if (own && named && named !== own) {
  location.replace(`work.html${location.hash}`);
} else if (!own && !named) {
  location.replace("boards.html");
} else {
  showBoard(named || own, jumps).catch((error) => {
    byId("said").replaceChildren(`${error.message}. `, element("a", { href: "boards.html" }, "Choose one of the boards"), " instead.");
  });
}

async function showBoard(name, jumps) {
  const [cells, { tasks, boards }] = await Promise.all([fetchBoard(name), loadCourse()]);
  byId("game").hidden = false;
  const { about = "", best = {} } = boards[name] ?? {};
  const played = jumps ? parseJumps(jumps) : [];
  const data = { board: name, cells, best, jumps: legalPart(parseBoard(cells), played) };
  if (own) return new Play(data);
  byId("board-name").textContent = name;
  byId("about").textContent = about;
  document.title = `${name} · Peg Solitaire`;
  const play = new Play(data, (page) => ({ ...NO_HINTS, forget: linkFilms(name, page.game, tasks) }));
  if (data.jumps.length < played.length) play.playRest([], { jump: played[data.jumps.length] }, false); // a program's
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
