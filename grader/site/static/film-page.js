// @ts-check

/* The film of a program's search at a position, which the address names: film.html#peg3/english/3133.2123. */

import { boardName, loadCourse } from "./course.js";
import { showRecording } from "./film/film_recording.js";
import { Programs } from "./programs.js";
import { Files } from "./storage.js";
import { byId } from "./web/page.js";

addEventListener("hashchange", () => location.reload());
const [who, ...place] = decodeURI(location.hash.slice(1)).split("/");
const position = place.join("/");
const { tasks } = await loadCourse();
const others = tasks.filter(({ film }) => film).map(({ name }) => name);
if (position === "" || !others.includes(who)) {
  location.replace("boards.html");
} else {
  byId("title").textContent = `What the search did: ${who} on ${boardName(place[0])}`;
  const files = await Files.open(tasks, { onTrouble: (words) => (byId("trouble").textContent = words) });
  showRecording({ who, position, others }, (say) => new Programs(files).ask("film", who, { position }, say));
}
