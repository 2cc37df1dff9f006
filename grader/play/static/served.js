// @ts-check

/* The board's page of `grade play`: the game, with hints from the server. */

import { Hints } from "./hints.js";
import { Play } from "./play.js";
import { pageData } from "./page.js";

const data = pageData();
new Play(data, (page) => new Hints(page, data));
