// Filter the students by words, by section, by a task without full marks, or by a message that they got.

"use strict";

const byId = (id) => document.getElementById(id);
const students = [...document.querySelectorAll(".students tbody tr")]; // before anything is sorted
const reasons = [...document.querySelectorAll("#reasons li")].map((item) => item.textContent);
const texts = students.map((row) =>
  [row.cells[0], row.cells[1], row.lastElementChild].map((cell) => cell.textContent).join(" ").toLocaleLowerCase(),
);
const remarks = students.map((row) => row.lastElementChild.textContent);
let chosen = null; // the rows of one message or mistake, and its words

function why(row, task) {
  const found = row.dataset.why.split(" ").find((each) => each.startsWith(`${task}:`));
  return found === undefined ? "" : reasons[found.split(":")[1]];
}

function filter() {
  const words = byId("words").value.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  const section = byId("section")?.value ?? "";
  const task = byId("task").value;
  let shown = 0;
  students.forEach((row, number) => {
    const hidden =
      !words.every((word) => texts[number].includes(word)) ||
      (section !== "" && row.cells[2].textContent.trim() !== section) ||
      (task !== "" && !row.dataset.short.split(" ").includes(task)) ||
      (chosen !== null && !chosen.rows.has(number));
    row.hidden = hidden;
    shown += hidden ? 0 : 1;
    const reason = task === "" ? "" : why(row, task);
    const text = [reason && `${task}: ${reason}`, remarks[number].trim()].filter(Boolean).join("; ");
    if (row.lastElementChild.textContent !== text) row.lastElementChild.textContent = text;
  });
  byId("shown").textContent =
    `${shown} of ${students.length} students` + (chosen === null ? "" : `, who have: ${chosen.words}`);
}

function show(rows, words) {
  for (const id of ["words", "section", "task"]) if (byId(id)) byId(id).value = "";
  chosen = rows === null ? null : { rows: new Set(rows), words };
  filter();
  if (rows !== null) {
    byId("students").scrollIntoView();
    byId("everybody").focus({ preventScroll: true });
  }
}

for (const cell of document.querySelectorAll(".who")) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "small";
  button.textContent = "show";
  const words = cell.parentElement.querySelector("th").textContent.trim();
  button.setAttribute("aria-label", `show the students with: ${words}`);
  button.addEventListener("click", () => show(cell.dataset.rows.split(" ").map(Number), words));
  cell.prepend(button, " ");
}

byId("words").addEventListener("input", filter);
byId("section")?.addEventListener("change", filter);
byId("task").addEventListener("change", () => {
  filter();
  const table = document.querySelector("table.students");
  const heading = [...table.tHead.rows[0].cells].find((each) => each.textContent === byId("task").value);
  if (heading) sort(table, heading, "ascending"); // who has the fewest points needs help most
});
byId("everybody").addEventListener("click", () => show(null, ""));
filter();
