// Sort tables by a click on a heading: numbers by value, other texts alphabetically, empty cells last. Headings of a
// table that is not wider than the page stay in view.

"use strict";

const words = new Intl.Collator(undefined, { numeric: true });

function value(row, column) {
  const text = row.cells[column].textContent.trim();
  return { text, number: /^-?[\d,]*\.?\d+$/.test(text) ? Number(text.replaceAll(",", "")) : NaN };
}

function compared(one, other) {
  return isNaN(one.number) || isNaN(other.number) ? words.compare(one.text, other.text) : one.number - other.number;
}

function sort(table, heading, wanted) {
  const headings = [...heading.parentNode.cells];
  const column = headings.indexOf(heading);
  // First click: numbers from the largest, names from A.
  const first = heading.classList.contains("right") ? "descending" : "ascending";
  const second = first === "ascending" ? "descending" : "ascending";
  const order = wanted ?? (heading.getAttribute("aria-sort") === first ? second : first);
  headings.forEach((each) => each.removeAttribute("aria-sort"));
  heading.setAttribute("aria-sort", order);
  const sign = order === "ascending" ? 1 : -1;
  const body = table.tBodies[0];
  const rows = [...body.rows].map((row) => ({ row, key: value(row, column) }));
  rows.sort((one, other) => {
    if (!one.key.text || !other.key.text) return (one.key.text ? 0 : 1) - (other.key.text ? 0 : 1);
    return sign * compared(one.key, other.key);
  });
  body.append(...rows.map(({ row }) => row));
}

for (const table of document.querySelectorAll("table.sortable")) {
  for (const heading of table.tHead.rows[0].cells) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = heading.textContent;
    button.addEventListener("click", () => sort(table, heading));
    heading.replaceChildren(button);
  }
}

document.querySelectorAll(".script").forEach((each) => { each.hidden = false; });

function fit() {
  for (const box of document.querySelectorAll(".wide")) {
    box.classList.toggle("fits", box.scrollWidth <= box.clientWidth);
  }
}

addEventListener("resize", fit);
for (const part of document.querySelectorAll("details.part")) part.addEventListener("toggle", fit);
fit();
