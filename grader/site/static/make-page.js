// @ts-check

/* The page to make a board, from the one that the address names: make.html#english. */

import { boardAt, loadCourse } from "./course.js";
import { openHelpers } from "./programs.js";
import { makeBoard } from "./web/make-board.js";

const first = "one-jump";
const cells = await boardAt(decodeURI(location.hash.slice(1)) || first).catch(() => boardAt(first));
const backend = await openHelpers(await loadCourse());
makeBoard({ ...backend, cells }, backend);
