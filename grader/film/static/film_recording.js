// @ts-check

/* A film that is being recorded, in a page that has the elements of film_recording.html. */

import { inCode } from "../web/card.js";
import { byId, onPress } from "../web/page.js";
import { showFilms } from "./film.js";

/**
 * Have a film recorded, and show it, as far as there is one, and how the program failed.
 *
 * @param recorder where it is recorded: `record(say)` resolves with {film, failed} or with {message, help}; `say` shows
 *     how far it is, and returns whether to go on; `cancel()` ends that, and resolves with what to say then.
 */
export async function showRecording({ record, cancel }) {
  let isCancelled = false;
  const say = (words) => {
    if (!isCancelled) byId("said").textContent = words;
    return !isCancelled;
  };
  onPress(byId("again"), () => location.reload());
  onPress(byId("cancel"), async () => {
    isCancelled = true;
    over(await cancel());
  });
  try {
    const answer = await record(say);
    if (!isCancelled) show(answer);
  } catch (error) {
    over(`There is no film: ${error.message}`);
  }
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
