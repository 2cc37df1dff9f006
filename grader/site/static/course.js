// @ts-check

/* The course, and the addresses of the pages that show it. */

import { element } from "./web/elements.js";

/** Return `tasks`, with their boards, stubs and handouts, and `boards`: what is known of each. */
export async function loadCourse() {
  return (await fetch("course.json")).json();
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

/** Return the address at which a board is played, perhaps after some jumps. */
export function playAddress(position) {
  return `play.html#${encodeURI(position)}`;
}

/** Return the address of the film of a task's search at a position. */
export function filmAddress(task, position) {
  return `film.html#${task}/${encodeURI(position)}`;
}
