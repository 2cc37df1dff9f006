// @ts-check

/* The course, and the addresses of the pages that show it. */

/** Return the tasks with their boards, stubs and handouts. */
export async function loadTasks() {
  return (await (await fetch("course.json")).json()).tasks;
}

/** Return the names of all boards that can be played. */
export function boardNames(tasks) {
  return new Set(tasks.flatMap(({ boards }) => boards.filter(({ pegs }) => pegs != null).map(({ name, board = name }) => board)));
}

/** Return the address at which a board is played, perhaps after some jumps. */
export function playAddress(position) {
  return `play.html#${encodeURI(position)}`;
}

/** Return the address of the film of a task's search at a position. */
export function filmAddress(task, position) {
  return `film.html#${task}/${encodeURI(position)}`;
}
