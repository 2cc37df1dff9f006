// @ts-check

/* The film of a program's search: the server records it, and film.js shows it. */

import { showFilms } from "../film/film.js";
import { byId, onPress, pageData } from "./page.js";
import { PAGE, answered, heartbeat, post, progress } from "./requests.js";

const { who, position } = pageData();
let isCancelled = false;

heartbeat(() => {});
onPress(byId("again"), () => location.reload());
await record();

async function record() {
  byId("said").textContent = `${who}: starting`;
  const first = await post("/api/film", { page: PAGE, who, position });
  byId("cancel").hidden = first.id === undefined;
  onPress(byId("cancel"), () => cancel(first.id));
  const answer = await answered(first, (soFar) => {
    if (!isCancelled) byId("said").textContent = progress(who, soFar);
    return !isCancelled;
  });
  if (!isCancelled) show(answer);
}

/** Show the film, as far as there is one, and how the program failed. */
function show({ film = null, failed = "", message = "", help = "" }) {
  const said = failed || (message && `${message}\nhelp: ${help}`);
  over(film === null ? "There is no film:" : "");
  byId("failed").hidden = said === "";
  byId("failed").textContent = said;
  if (film !== null) showFilms([film]);
}

async function cancel(id) {
  isCancelled = true;
  byId("said").textContent = `${who}: stopping`;
  const { state, message } = await post(`/api/hint/${id}/cancel`, {});
  over(`${who}: ${state === "failed" ? message : "cancelled, its process has ended"}`);
}

function over(said) {
  byId("said").textContent = said;
  byId("again").hidden = false;
  if (document.activeElement === byId("cancel")) byId("again").focus();
  byId("cancel").hidden = true;
}
