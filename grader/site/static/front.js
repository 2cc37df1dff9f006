// @ts-check

/* The front page: where a student stands, and where to go on. Meanwhile the site is kept for the work to come. */

import { atOnce } from "./at-once.js";
import { isDone, loadCourse, taskLink } from "./course.js";
import { keepOffline } from "./offline.js";
import { Files } from "./storage.js";
import { byId, element } from "./web/page.js";

const { tasks } = await loadCourse();
const files = await Files.open(tasks, { onTrouble() {} });
byId("way").append(...tasks.map((task) => element("li", {}, taskLink(task, files, "work.html"))));
const last = tasks.findIndex(({ name }) => name === atOnce.get("task"));
if (last >= 0) {
  const { name } = tasks.slice(last).find((task) => !isDone(task, files)) ?? tasks[last];
  Object.assign(byId("go"), { textContent: `Go on with ${name}`, href: `work.html#${name}` });
}
keepOffline();
