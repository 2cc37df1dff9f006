// @ts-check

/* The film of a program's search at a position, which the address names: film.html#peg3/english/3133.2123. */

import { loadedOf } from "./clock.js";
import { filmAddress, loadCourse, playAddress } from "./course.js";
import { Grading } from "./grading.js";
import { Files } from "./storage.js";
import { showRecording } from "./film/film_recording.js";
import { byId, element } from "./web/page.js";

addEventListener("hashchange", () => location.reload());
const [name, ...place] = decodeURI(location.hash.slice(1)).split("/");
const position = place.join("/");
if (position === "") location.replace("boards.html");
let grading = null;

showRecording({
  async record(say) {
    const { tasks } = await loadCourse();
    const task = tasks.find((each) => each.name === name);
    if (!task) throw new Error("choose one of the Boards, and there the film of a task.");
    showWays(tasks.filter(({ film }) => film).map((each) => each.name));
    const files = await Files.open(tasks, { onTrouble: (words) => (byId("trouble").textContent = words) });
    grading = new Grading((had, all) => say(`Loading Python: ${loadedOf(had, all)}`));
    await grading.ready;
    byId("cancel").hidden = false;
    say(`Recording ${name}…`);
    const answer = await grading.run("films", { files: files.texts, task: name, position });
    return answer?.refused ?? answer;
  },
  cancel() {
    grading.stop();
    return `You stopped ${name}.`;
  },
});

/** Show where to go from here. */
function showWays(names) {
  byId("title").textContent = `What the search did: ${name} on ${position.split("/")[0]}`;
  const link = (words, href) => element("a", { href }, words);
  byId("ways").append(link("Back to the board", playAddress(position)));
  if (place.length > 1) byId("ways").append(" ", link("From the start of the game", filmAddress(name, place[0])));
  for (const other of names.filter((each) => each !== name)) byId("ways").append(" ", link(`Film of ${other}`, filmAddress(other, position)));
}
