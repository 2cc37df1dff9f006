// Say whose cell of the map is pointed at, or reached with the arrow keys.

"use strict";

const map = document.querySelector("svg.map");

if (map) {
  const said = document.getElementById("cell");
  const names = map.dataset.words.split("|");
  const [top, high, wide] = ["top", "row", "column"].map((name) => Number(map.dataset[name]));
  const columns = [...map.querySelectorAll(".board")].map((text) => ({
    x: Number(text.dataset.x), task: text.dataset.task, board: text.textContent,
  }));
  const ranked = [...document.querySelectorAll(".students tbody tr")]
    .filter((row) => row.dataset.rank !== "")
    .sort((one, other) => one.dataset.rank - other.dataset.rank);
  const mark = document.createElementNS(map.namespaceURI, "rect");
  mark.setAttribute("class", "mark");
  const at = { row: 0, column: 0 };

  function tell() {
    const row = ranked[at.row];
    const { x, task, board } = columns[at.column];
    const code = row.dataset.cells[at.column];
    const name = row.cells[1].textContent.trim();
    const id = row.cells[0].textContent.trim();
    const who = name === id ? id : `${id}, ${name}`;
    said.textContent = `${who}: ${task} ${board}: ${code === "-" ? "not handed in" : names[Number(code)]}`;
    const height = Math.max(high, 3);
    const place = { x: x - wide / 2 - 1, y: top + high * (at.row + 0.5) - height / 2, width: wide + 2, height };
    for (const [key, value] of Object.entries(place)) mark.setAttribute(key, value);
    map.append(mark);
    const [cell, frame] = [mark, said.parentElement].map((each) => each.getBoundingClientRect());
    said.style.top = `${cell.bottom - frame.top + 6}px`;
    said.style.left = `${Math.max(0, Math.min(cell.left - frame.left, frame.width - said.offsetWidth))}px`;
  }

  function forget() {
    said.textContent = "";
    mark.remove();
  }

  function go(row, column) {
    at.row = Math.min(Math.max(row, 0), ranked.length - 1);
    at.column = Math.min(Math.max(column, 0), columns.length - 1);
    tell();
  }

  function open() {
    const row = ranked[at.row];
    if (row.hidden) show(null, "");
    unfold(row);
    location.hash = row.id; // which marks the row
    row.scrollIntoView({ block: "center" });
    row.querySelector("a")?.focus({ preventScroll: true });
  }

  function point(event) {
    const box = map.getBoundingClientRect();
    const scale = map.viewBox.baseVal.width / box.width;
    const x = (event.clientX - box.left) * scale;
    const row = Math.floor(((event.clientY - box.top) * scale - top) / high);
    const column = columns.findIndex((each) => Math.abs(each.x - x) <= wide / 2 + 1);
    if (column < 0 || row < 0 || row >= ranked.length) {
      forget();
      return false;
    }
    go(row, column);
    return true;
  }

  const moves = {
    ArrowUp: () => go(at.row - 1, at.column), ArrowDown: () => go(at.row + 1, at.column),
    ArrowLeft: () => go(at.row, at.column - 1), ArrowRight: () => go(at.row, at.column + 1),
    PageUp: () => go(at.row - 10, at.column), PageDown: () => go(at.row + 10, at.column),
    Home: () => go(at.row, 0), End: () => go(at.row, columns.length - 1), Enter: open,
  };
  const frame = map.parentElement; // has the focus, since it can be scrolled
  frame.addEventListener("keydown", (event) => {
    const move = moves[event.key];
    if (!move || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    move();
    if (event.key !== "Enter") mark.scrollIntoView({ block: "nearest", inline: "nearest" });
  });
  frame.addEventListener("blur", forget);
  map.addEventListener("pointerleave", forget);
  map.addEventListener("pointermove", point);
  map.addEventListener("click", (event) => { if (point(event)) open(); });
}
