// @ts-check

/* The front page: where a student stands, and where to go on. Meanwhile the site is kept for the work to come. */

import { loadCourse, taskLink } from "./course.js";
import { keepOffline } from "./offline.js";
import { Files } from "./storage.js";
import { byId, element } from "./web/page.js";

const { tasks } = await loadCourse();
const files = await Files.open(tasks, { onTrouble() {}, onOther() {}, onState() {} });
byId("way").append(...tasks.map((task) => element("li", {}, taskLink(task, files, "work.html"))));
if (files.lastTask !== null) byId("go").textContent = `Go on with ${files.lastTask}`;
keepOffline();
