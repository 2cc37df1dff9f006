// @ts-check

/* The course, and the addresses of the pages that show it. */

import { element } from "./web/elements.js";
import { parseBoard } from "./web/position.js";

/** Return `tasks`, with boards, stubs and handouts; `boards`, what is known of each; and who gives hints. */
export async function loadCourse() {
  return (await fetch("course.json")).json();
}

/** Return what a board is called that may be named by its cells. */
export function boardName(name) {
  return parseBoard(name) ? "own board" : name;
}

/** Return the 64 cells of a board, which has a name, or is named by them. */
export async function boardAt(name) {
  const own = parseBoard(name);
  if (own?.pegs > 0) return own.cells;
  const response = await fetch(`boards/${encodeURIComponent(name)}.txt`);
  const position = response.ok ? parseBoard(await response.text()) : null;
  if (position === null) throw new Error(`There is no board ${name} here`);
  return position.cells;
}

/** Return a link to a task on a page, with the points of its last grading. */
export function taskLink({ name, title, points }, files, page = "") {
  const had = files.points.get(name)?.points ?? "-";
  const state = had === points ? "all" : had === "-" ? "none" : "some";
  return element("a", { href: `${page}#${name}`, title, "data-task": name, "data-points": state }, name, " ", element("span", { class: "points" }, `${had} / ${points}`));
}

/** Return whether a task has all points that it can have here. */
export function isDone({ name, boards }, files) {
  return files.points.get(name)?.points >= boards.reduce((sum, { notRun, points }) => sum + (notRun ? 0 : points), 0);
}
