// @ts-check

/* The pages of `grade play`: the server answers what they ask. */

import { showRecording } from "../film/film_recording.js";
import { Hints } from "../web/hints.js";
import { makeBoard } from "../web/make-board.js";
import { pageData } from "../web/page.js";
import { Play } from "../web/play.js";
import { server } from "./requests.js";

const data = pageData();
if ("random" in data) {
  makeBoard(data, server);
} else if ("who" in data) {
  server.follow(() => {});
  showRecording(data, (say) => server.film(data, say));
} else {
  const play = new Play(data, (page) => new Hints(page, data.helpers, server));
  if (data.rest) play.playRest(data.rest.jumps, data.rest.illegal, false);
}
