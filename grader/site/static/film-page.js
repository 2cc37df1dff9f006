// @ts-check

/* The film of a program's search at a position, which the address names: film.html#peg3/english/3133.2123. */

import { startGrading } from "./grading.js";
import { filmAddress, playAddress } from "./results.js";
import { Files } from "./storage.js";
import { showFilms } from "./film/film.js";
import { byId, element, onPress } from "./play/page.js";

addEventListener("hashchange", () => location.reload());
onPress(byId("again"), () => location.reload());
const [name, ...place] = decodeURI(location.hash.slice(1)).split("/");
const position = place.join("/");
record().catch((error) => over(`There is no film: ${error.message}`));

async function record() {
  const { tasks } = await (await fetch("course.json")).json();
  const task = tasks.find((each) => each.name === name);
  if (!task || !position) throw new Error("choose a board, and there the film of a task");
  showWays(tasks.filter(({ film }) => film).map((each) => each.name));
  const stubs = Object.fromEntries(tasks.map(({ file, stub }) => [file, stub]));
  const files = await Files.open(stubs, { onTrouble: (words) => (byId("trouble").textContent = words), onOther() {}, onState() {} });
  const grading = startGrading({ onProgress: (words) => say(`${words}…`) });
  await grading.ready;
  onPress(byId("cancel"), () => grading.stop());
  byId("cancel").hidden = false;
  say(`recording ${name}…`);
  show(await grading.film({ files: files.texts, task: name, position }));
}

/** Show where to go from here. */
function showWays(names) {
  byId("title").textContent = `What the search did: ${name} on ${position.split("/")[0]}`;
  const link = (words, href) => element("a", { href }, words);
  byId("ways").append(link("Back to the board", playAddress(position)));
  if (place.length > 1) byId("ways").append(" ", link("From the start of the game", filmAddress(name, place[0])));
  for (const other of names.filter((each) => each !== name)) byId("ways").append(" ", link(`Film of ${other}`, filmAddress(other, position)));
}

/** Show the film, as far as there is one, and how the program failed; null if it was stopped. */
function show(answer) {
  if (answer === null) return over(`You stopped ${name}.`);
  const { film = null, refused } = answer;
  const failed = refused ? `${refused.message}\nhelp: ${refused.help}` : answer.failed;
  over(film === null ? "There is no film:" : "");
  byId("failed").hidden = failed === "";
  byId("failed").textContent = failed;
  if (film !== null) showFilms([film]);
}

function say(words) {
  byId("said").textContent = words[0].toUpperCase() + words.slice(1);
}

function over(words) {
  byId("said").textContent = words;
  byId("again").hidden = false;
  byId("cancel").hidden = true;
}
