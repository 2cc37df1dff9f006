"use strict";

/* What the pages share: their data, their buttons and keys, and the pictures drawn from `data-cells`. */

function byId(id) {
  return document.getElementById(id);
}

/** Return the data that the server put into the page. */
function pageData() {
  return JSON.parse(byId("data").textContent);
}

/** Return an HTML element. */
function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** Enable or disable a button. A disabled one keeps the focus, so that keyboard users are not lost. */
function enable(button, enabled) {
  button.setAttribute("aria-disabled", `${!enabled}`);
}

/** Call `action` when an enabled button is pressed. */
function onPress(button, action) {
  button.addEventListener("click", () => {
    if (button.getAttribute("aria-disabled") !== "true") action();
  });
}

/** Call actions by key, except in dialogs, with Ctrl, Alt or Meta, and while typing into a field (except Esc). */
function onKeys(actions) {
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest("input, select, textarea") && event.key !== "Escape";
    if (typing || event.target.closest("dialog") || event.ctrlKey || event.altKey || event.metaKey || !(event.key in actions)) return;
    if ((event.key === "Enter" || event.key === " ") && event.target.closest("a, button, summary")) return;
    if (actions[event.key](event.key) !== false) event.preventDefault();
  });
}

/** Draw a page's pictures; those in a closed <details> only when it is opened. */
function drawPictures() {
  for (const svg of document.querySelectorAll("svg[data-cells]")) {
    const folded = svg.closest("details:not([open])");
    if (folded === null) {
      drawPicture(svg);
    } else {
      folded.addEventListener("toggle", () => drawPicture(svg), { once: true });
    }
  }
}

/** Draw <svg data-cells="64 cells" data-least="5,3" data-labels data-jumps="3133.2123">. */
function drawPicture(svg) {
  const { cells, least = "1,1", labels, jumps } = svg.dataset;
  const options = { least: least.split(",").map(Number), labels: labels !== undefined };
  const view = new BoardView(svg, parseBoard(cells), options);
  if (jumps) view.point(parseJumps(jumps).map((jump) => ({ jump, kind: "hint" })));
}

drawPictures();
