// @ts-check

/* The board that the address names (play.html#english), or the front page's own: web/play.js plays it. */

import { boardAt, boardName, loadCourse } from "./course.js";
import { openHelpers } from "./programs.js";
import { Hints } from "./web/hints.js";
import { byId, element } from "./web/page.js";
import { Play } from "./web/play.js";
import { legalPart, parseBoard, parseJumps } from "./web/position.js";

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
  const [cells, course] = await Promise.all([boardAt(name), loadCourse()]);
  const { about = "", best = {} } = course.boards[name] ?? {};
  const played = jumps ? parseJumps(jumps) : [];
  const data = { board: name, cells, best, jumps: legalPart(parseBoard(cells), played) };
  byId("game").hidden = false;
  if (own) return new Play(data);
  const title = boardName(name);
  byId("board-name").textContent = title;
  byId("about").textContent = about;
  byId("change").href = `make.html#${encodeURI(name)}`;
  document.title = `${title} · Peg Solitaire`;
  const backend = await openHelpers(course);
  const play = new Play(data, (page) => new Hints(page, backend.helpers, backend));
  if (data.jumps.length < played.length) play.playRest([], { jump: played[data.jumps.length] }, false); // a program's
}
