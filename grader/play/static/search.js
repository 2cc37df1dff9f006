// @ts-check

/* The film of a program's search, which the server records. */

import { showRecording } from "../film/film_recording.js";
import { byId, pageData } from "../web/page.js";
import { PAGE, answered, heartbeat, post, progress } from "./requests.js";

const { who, position } = pageData();
let asked = null; // the number of the film at the server

heartbeat(() => {});
showRecording({
  async record(say) {
    say(`${who}: starting`);
    const first = await post("/api/film", { page: PAGE, who, position });
    asked = first.id;
    byId("cancel").hidden = asked === undefined;
    return answered(first, (soFar) => say(progress(who, soFar)));
  },
  async cancel() {
    byId("said").textContent = `${who}: stopping`;
    const { state, message } = await post(`/api/hint/${asked}/cancel`, {});
    return `${who}: ${state === "failed" ? message : "cancelled, its process has ended"}`;
  },
});
