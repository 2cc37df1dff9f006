// Filter the students by words, by section, by a task without full marks, by whether they handed in anything, or by what
// they have in common.

"use strict";

const byId = (id) => document.getElementById(id);
// Without accents, so that "muller" finds Müller.
const folded = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLocaleLowerCase();
const students = [...document.querySelectorAll(".students tbody tr")].map((row) => ({ // before anything is sorted
  row,
  section: row.cells[2].textContent.trim(),
  // Whether it lacks points in a task, told by its name, or in a check that was run, told by the number of its column in
  // the map.
  lacks: (what) => row.dataset.short.split(" ").includes(what) || "123".includes(row.dataset.cells[what]),
  handed: row.cells[3].textContent.trim() === "" ? "nothing" : "something", // the attempt that counts
  text: folded([row.cells[0], row.cells[1], row.lastElementChild].map((cell) => cell.textContent).join(" ")),
}));
let chosen = null; // the rows of a link or button, and what these students have

function filter() {
  const typed = byId("words").value.trim();
  const words = folded(typed).split(/\s+/).filter(Boolean);
  const section = byId("section")?.value ?? "";
  const task = byId("task").value;
  const handed = byId("handed").value;
  let shown = 0;
  students.forEach((student, number) => {
    const hidden =
      !words.every((word) => student.text.includes(word)) ||
      (section !== "" && student.section !== section) ||
      (task !== "" && !student.lacks(task)) ||
      (handed !== "" && student.handed !== handed) ||
      (chosen !== null && !chosen.rows.has(number));
    if (student.row.hidden !== hidden) student.row.hidden = hidden;
    shown += hidden ? 0 : 1;
  });
  const filters = [
    chosen?.words, section && `in section ${section}`,
    task && `without full marks in ${byId("task").selectedOptions[0].textContent}${isNaN(task) ? "" : ", which they ran"}`,
    handed && `who handed in ${handed}`, typed && `found by "${typed}"`,
  ].filter(Boolean);
  byId("shown").textContent = `${shown} of ${students.length} students${chosen ? ":" : ""} ${filters.join("; ")}`.trim();
}

function show(rows, words) {
  for (const id of ["words", "section", "task", "handed"]) if (byId(id)) byId(id).value = "";
  chosen = rows === null ? null : { rows: new Set(rows), words };
  filter();
}

function inOrder(rows) {
  const table = document.querySelector("table.students");
  for (const heading of table.tHead.rows[0].cells) heading.removeAttribute("aria-sort");
  table.tBodies[0].append(...[...new Set(rows)].map((number) => students[number].row));
}

function offer(control, rows, words) {
  control.addEventListener("click", (event) => {
    event.preventDefault();
    history.pushState(null, "", "#students"); // so that the browser's Back leads back to here
    const wanted = rows.split(" ").map(Number);
    show(wanted, words);
    inOrder([...wanted, ...students.keys()]);
    unfold(byId("students"));
    byId("students").scrollIntoView();
    byId("everybody").focus({ preventScroll: true });
  });
}

for (const cell of document.querySelectorAll(".who")) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "small";
  button.textContent = "show";
  const words = cell.parentElement.querySelector("th").textContent.trim();
  button.setAttribute("aria-label", `show the students with: ${words}`);
  offer(button, cell.dataset.rows, words);
  cell.prepend(button, " ");
}
for (const link of document.querySelectorAll("a[data-rows]")) offer(link, link.dataset.rows, link.dataset.words);

function byTask() {
  filter();
  const table = document.querySelector("table.students");
  const heading = [...table.tHead.rows[0].cells].find((each) => each.textContent === byId("task").value);
  if (heading) sort(table, heading, "ascending"); // who has the fewest points needs help most
}

// A row that a link leads to must not be hidden.
document.addEventListener("click", (event) => {
  const link = event.target.closest('a[href^="#row-"]');
  if (link && byId(link.hash.slice(1)).hidden) show(null, "");
});
byId("words").addEventListener("input", filter);
byId("section")?.addEventListener("change", filter);
byId("task").addEventListener("change", byTask);
byId("handed").addEventListener("change", filter);
byId("everybody").addEventListener("click", () => {
  show(null, "");
  inOrder([...students.keys()]);
});
addEventListener("pageshow", byTask); // the browser fills in the controls when one comes back to the page
filter();
