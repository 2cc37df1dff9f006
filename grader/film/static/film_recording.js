// @ts-check

/* A film that is being recorded, in a page that has the elements of film_recording.html. */

import { inCode } from "../web/card.js";
import { addressOf, byId, element, filmOf, onPress } from "../web/page.js";
import { showFilms } from "./film.js";

/**
 * Have a film recorded, and show it, as far as there is one, and how the program failed.
 *
 * @param {{who: string, position: string, others: string[]}} film the program, the position as in an address,
 *     and the programs that have films.
 * @param {(say: (words: string) => void) => import("../web/progress.js").Asked} record begins; `say` shows how
 *     far it is.
 */
export async function showRecording({ who, position, others }, record) {
  const link = (words, href) => [" ", element("a", { href }, words)];
  const [board, jumps] = position.split("/");
  const start = jumps ? link("From the start of the game", filmOf(who, board)) : [];
  const films = others.flatMap((each) => (each === who ? [] : link(`Film of ${each}`, filmOf(each, position))));
  byId("ways").append(...link("Back to the board", addressOf(position)), ...start, ...films);
  const say = (words) => (byId("said").textContent = words);
  say(`${who}: starting`);
  onPress(byId("again"), () => location.reload());
  const { answer, cancel } = record(say);
  byId("cancel").hidden = false;
  onPress(byId("cancel"), async () => {
    say(`${who}: stopping`);
    over(await cancel());
  });
  const found = await answer;
  if (found !== null) show(found);
}

function show({ film = null, failed = "", message = "", help = "" }) {
  const said = failed || (message && `${message}\nhelp: ${help}`);
  over(film === null ? "There is no film:" : "");
  byId("failed").hidden = said === "";
  byId("failed").replaceChildren(...inCode(said));
  if (film !== null) showFilms([film]);
}

function over(words) {
  byId("said").textContent = words;
  byId("again").hidden = false;
  if (document.activeElement === byId("cancel")) byId("again").focus();
  byId("cancel").hidden = true;
}
