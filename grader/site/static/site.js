// @ts-check

/* The page in which a student does the assignment: it joins handout, editor, results, files and the grading. */

import { atOnce } from "./at-once.js";
import { isDone, loadCourse, taskLink } from "./course.js";
import { Editor } from "./editor.js";
import { Files } from "./storage.js";
import { FilesDialog } from "./files-dialog.js";
import { Handout } from "./handout.js";
import { keepOffline } from "./offline.js";
import { Results } from "./results.js";
import { inCode } from "./web/card.js";
import { byId, element, enable, onPress } from "./web/page.js";
import { counted } from "./web/position.js";
import { Clock, loadedOf } from "./web/progress.js";

const NEEDED = ["WebAssembly", "Worker", "DecompressionStream"]; // to run Python
const READY = "Ready: write in the editor, then press Run.";
const CHANGED = "Changed since the last run: press Run.";
const LONG_S = 20; // a Grade that takes longer is announced

window.name = ""; // the next film or question opens in a tab of its own, not in place of this one
const { tasks, boards } = await loadTasks();
const files = await Files.open(tasks, {
  onTrouble: (words) => (byId("trouble").textContent = words),
  onOther: (name, text) => page.editor.replace(name, text),
  onState: (isSaved) => {
    byId("saved").textContent = isSaved ? "saved" : "not saved yet";
    markOld();
  },
});
const page = {
  editor: new Editor(byId("editor"), { onType: typed, onRun: () => run(true) }),
  handout: new Handout(byId("handout"), boards),
  results: new Map(tasks.map((task) => [task.name, makeResults(task)])),
  task: null,
  isRunning: false,
  state: "", // what is said of the page
  ended: new Map(), // by task: what is said of its last run
};
const dialog = new FilesDialog(files, (name, text) => page.editor.replace(name, text));
const shownIn = (id) => (words) => (byId(id).textContent = words);
const grading = loadGrading();
grading // whatever is wrong, it has said so itself
  .catch(() => {})
  .then(() => keepOffline({ kept: shownIn("kept"), newer: shownIn("newer") }));
let beginning = grading; // resolves once the run that was asked for can begin

onPress(byId("run"), () => run(true));
onPress(byId("grade"), () => run(false));
onPress(byId("stop"), stop);
onPress(byId("files-open"), () => dialog.show(page.task.file));
addEventListener("hashchange", followAddress);
addEventListener("keydown", runByKeys);
byId("split").addEventListener("input", () => byId("found").style.setProperty("--room", `${byId("split").value}dvh`));
for (const link of document.querySelectorAll(".parts a")) link.addEventListener("click", goToPart);
addEventListener("beforeunload", (event) => {
  if (!files.leave() || page.isRunning) event.preventDefault();
});
for (const task of tasks) restoreRun(task);
drawTasks();
setRunning(false);
followAddress();
byId("starting").remove();
byId("work").hidden = false;

// ---- the course ----------------------------------------------------------------------------------

async function loadTasks() {
  try {
    return await loadCourse();
  } catch (error) {
    byId("starting").textContent = `The course cannot be loaded (${error.message}). Reload the page; what you typed earlier is kept.`;
    throw error;
  }
}

function makeResults(task) {
  const panel = element("div", { hidden: "" });
  byId("results").append(panel);
  const onMark = ({ file, line }) => {
    const owner = tasks.find((each) => each.file === file);
    if (!owner) return;
    location.hash = owner.name;
    showTask(owner);
    page.editor.goTo(line);
  };
  return new Results(panel, task, onMark, run);
}

/** Show the list of tasks with the points of the last grading. */
function drawTasks() {
  const items = tasks.map((task) => {
    const link = taskLink(task, files);
    link.append(element("span", { class: "unseen" }));
    if (page.task === task) link.setAttribute("aria-current", "page");
    return element("li", {}, link);
  });
  byId("tasks").replaceChildren(...items);
  markOld();
}

/** Show which points are those of files that have changed since. */
function markOld() {
  for (const link of byId("tasks").querySelectorAll("a")) {
    const { name, title } = tasks.find((task) => task.name === link.dataset.task);
    const isOld = files.isOld(name);
    if (link.classList.toggle("old", isOld) === (link.lastChild.textContent !== "")) continue; // it says so already
    link.lastChild.textContent = isOld ? ", before your last changes" : "";
    link.title = isOld ? `${title} (points before your last changes: press Grade)` : title;
  }
}

/** Show the task that the address names; #peg2/Run/choice runs it, too. */
function followAddress() {
  const address = location.hash.slice(1).replace(/[+&]/g, encodeURIComponent); // only these mean more in a query
  const [named, does, boards] = new URLSearchParams(`=${address}`).get("")?.split("/") ?? []; // takes a stray %, too
  showTask(tasks.find(({ name }) => name === named) ?? page.task ?? tasks.find(({ name }) => name === atOnce.get("task")) ?? tasks[0]);
  if (!does) return;
  history.replaceState(null, "", `#${page.task.name}`); // so that a reload runs nothing
  run(does === "Run", boards ? boards.split(",") : null);
}

function showTask(task) {
  if (task === page.task) return;
  page.task = task;
  atOnce.set("task", task.name);
  document.title = `${task.name} · Peg Solitaire`;
  byId("file").textContent = task.file;
  page.editor.show(task.file, files.text(task.file));
  page.handout.open(task.handout);
  for (const [name, { parent }] of page.results) parent.hidden = name !== task.name;
  drawTasks();
  showState();
}

/** Scroll to a part, on a narrow screen; the address stays the task's. */
function goToPart(event) {
  event.preventDefault();
  const part = document.querySelector(event.target.getAttribute("href"));
  part.scrollIntoView();
  part.focus({ preventScroll: true });
}

// ---- running -------------------------------------------------------------------------------------

/** Load what grades; until then the student can read and write. */
async function loadGrading() {
  try {
    const missing = NEEDED.find((name) => !(name in window));
    if (missing) throw new Error(`this browser has no ${missing}`);
    tell("Loading Python…");
    const module = await import("./grading.js");
    const made = new module.Grading(onProgress);
    await made.ready;
    byId("clock").textContent = "";
    tell(READY);
    return made;
  } catch (error) {
    tell(`Python cannot run here: ${error.message}. You can read, write and download your files; to run them, reload the page or use a newer browser.`);
    byId("state").classList.add("fault");
    page.failure = error; // and that is all there is to say of it
    throw error;
  }
}

function onProgress(had, all) {
  byId("clock").textContent = had < all ? loadedOf(had, all) : "";
  if (had === all) tell("Starting Python…");
}

/** Take what was typed; what the last runs said is of other files. */
function typed(name, text) {
  files.type(name, text);
  for (const task of tasks) if (task.files.includes(name) && page.ended.has(task.name)) page.ended.set(task.name, CHANGED);
  showState();
}

/** Say something of the page; or of a task, whose last run has ended. */
function tell(words, task = null) {
  if (task === null) page.state = words;
  else page.ended.set(task.name, words);
  showState();
}

/** Show what is said: of the run that is on, or of the last one of the task that is shown. */
function showState() {
  const ended = page.isRunning || page.failure ? null : page.ended.get(page.task?.name);
  const words = ended ?? page.state + (page.state === READY ? duration(page.task) : "");
  if (byId("state").textContent !== words) byId("state").replaceChildren(...inCode(words));
}

/** Return in words how long a Grade takes: as the last one, or as those of usual programs; "" if it is soon over. */
function duration(task) {
  const sum = task?.boards.reduce((sum, { notRun, seconds }) => sum + (notRun ? 0 : seconds), 0);
  const seconds = atOnce.get(`seconds ${task?.name}`) ?? sum;
  return seconds > LONG_S ? ` Grade takes about ${seconds < 40 ? "half a minute" : counted(Math.round(seconds / 60), "minute")}; Stop keeps what is done.` : "";
}

/** Grade the task that is shown, as soon as Python is loaded; on some boards only, if they are named. */
async function run(contracts, boards = null) {
  if (page.isRunning) return;
  const { task } = page;
  setRunning(true);
  beginning = files.save().then(() => grading);
  try {
    await gradeTask(task, await beginning, contracts, boards);
  } catch (error) {
    if (error !== page.failure) tell(`The run could not be finished: ${error.message}. Nothing you typed is lost; try again, or reload the page.`, task);
  } finally {
    setRunning(false);
    if (!page.failure) tell(READY);
  }
}

async function gradeTask(task, ready, contracts, boards) {
  const { editor } = page;
  const { texts } = files;
  const results = page.results.get(task.name);
  editor.mark([]);
  results.start(contracts, boards);
  const about = contracts || boards ? "" : duration(task);
  tell(`Running ${task.name}…${about}`);
  const begun = performance.now();
  const clock = new Clock(shownIn("clock"));
  const planned = boards?.length ?? task.boards.filter((check) => (contracts ? check.contracts : !check.notRun)).length;
  const onQuestion = ({ rows, running, question }) => {
    results.rows(rows);
    if (rows.length > 0) tell(`Running ${task.name}: ${rows.length} of ${counted(planned, "check")} done.${about}`);
    clock.start(running || "looking for the cause", question);
  };
  let report;
  try {
    report = await ready.grade({ files: texts, task: task.name, contracts, boards, onQuestion });
  } finally {
    clock.stop();
    shownIn("clock")("");
  }
  showReport(task, report);
  editor.mark(marksByLine(report));
  atOnce.set(`run ${task.name}`, { contracts, boards, report });
  if (!contracts && boards === null && (!report.stopped || report.points > (files.points.get(task.name)?.points ?? 0))) {
    if (!report.stopped) atOnce.set(`seconds ${task.name}`, (performance.now() - begun) / 1000);
    const graded = Object.fromEntries(task.files.filter((name) => name in texts).map((name) => [name, texts[name]]));
    await files.setPoints(task.name, report.points, report.maxPoints, graded);
    drawTasks();
  }
}

function showReport(task, report) {
  const results = page.results.get(task.name);
  results.end(report);
  const how = report.stopped ? stoppedAt(report) : task.name;
  const isGraded = results.contracts && report.points === report.maxPoints && isDone(task, files) && !files.isOld(task.name);
  const next = report.stopped || isGraded ? "" : report.next.replace(/ {2,}/, "; ");
  tell(`${how}: ${report.points} / ${report.maxPoints}${next && ", "}${next}`, task);
}

/** Show what the last run found before the page was left. */
function restoreRun(task) {
  const last = atOnce.get(`run ${task.name}`);
  if (last === null) return;
  try {
    page.results.get(task.name).start(last.contracts, last.boards);
    showReport(task, last.report);
  } catch {
    atOnce.set(`run ${task.name}`, null); // of another version of this page
    page.results.set(task.name, makeResults(task));
  }
}

function stoppedAt({ running }) {
  return `You stopped it ${running ? `while ${running} was running` : "while it was looking for the cause"}`;
}

/** Return one mark for each line: {file, line, text, isCalm}; what is not written yet is no fault. */
function marksByLine({ marks, rows }) {
  const unwritten = rows.filter(({ verdict }) => verdict === "not-written").map(({ headline }) => headline);
  const lines = new Map();
  for (const mark of marks) {
    const line = `${mark.file}:${mark.line}`;
    lines.set(line, [...(lines.get(line) ?? []), mark]);
  }
  return Array.from(lines.values(), (here) => {
    const [{ file, line, text }, ...others] = here;
    const more = others.length > 0 ? ` (and ${others.length} more)` : "";
    return { file, line, text: text + more, isCalm: here.every((mark) => unwritten.includes(mark.text)) };
  });
}

async function stop() {
  tell("Stopping…");
  (await beginning.catch(() => null))?.stop(); // after `run`, which waits for it as well, has begun
}

/** Run with Ctrl-Enter outside the editor, too, which has that key itself. */
function runByKeys(event) {
  const isRun = event.key === "Enter" && (event.ctrlKey || event.metaKey);
  if (isRun && !event.defaultPrevented && !event.target.closest("dialog")) run(true);
}

function setRunning(isRunning) {
  page.isRunning = isRunning;
  enable(byId("run"), !isRunning);
  enable(byId("grade"), !isRunning);
  enable(byId("stop"), isRunning);
}
