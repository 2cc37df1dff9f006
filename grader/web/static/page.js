// @ts-check

/* What the pages share: their data, their buttons and keys, and the pictures drawn from `data-cells`. */

import { drawPicture } from "./board.js";
import { byId, element } from "./elements.js";
import { counted, joinJumps, parseJumps } from "./position.js";

export { byId, element };

/** Return the data that the server put into the page. */
export function pageData() {
  return JSON.parse(byId("data").textContent);
}

/** Enable or disable a button. A disabled one keeps the focus, so that keyboard users are not lost. */
export function enable(button, enabled) {
  button.setAttribute("aria-disabled", `${!enabled}`);
}

/** Call `action` when an enabled button is pressed. */
export function onPress(button, action) {
  button.addEventListener("click", () => {
    if (button.getAttribute("aria-disabled") !== "true") action();
  });
}

/**
 * Call actions by key, such as "u" or "Ctrl+z" (Command on a Mac), except in dialogs and in fields, where keys type or
 * choose; Esc works in fields, too.
 */
export function onKeys(actions) {
  document.addEventListener("keydown", (event) => {
    const target = /** @type {Element} */ (event.target);
    const key = event.ctrlKey || event.metaKey ? `Ctrl+${event.key}` : event.key;
    const typing = target.closest("input, select, textarea") && key !== "Escape";
    if (typing || target.closest("dialog") || event.altKey || !(key in actions)) return;
    if ((key === "Enter" || key === " ") && target.closest("a, button, summary")) return;
    if (actions[key](key) !== false) event.preventDefault();
  });
}

/** Return a board after some jumps as addresses have it. */
export function positionOf(board, jumps) {
  return jumps.length === 0 ? board : `${board}/${joinJumps(jumps)}`;
}

/** Return the address at which a position is played; that of a page without a server has a #. */
export function addressOf(position) {
  return document.body.dataset.boards + encodeURI(position);
}

/** Return the address of the film of a program at a position. */
export function filmOf(who, position) {
  return `${document.body.dataset.films}${who}/${encodeURI(position)}`;
}

/** Return what the browser keeps under a name, if it is of the expected form; null for anything else. */
export function kept(storage, name, isRight = (found) => true) {
  try {
    const found = JSON.parse(storage().getItem(name));
    return isRight(found) ? found : null;
  } catch {
    return null; // the browser keeps nothing, or somebody changed it
  }
}

/** Have the browser keep something under a name, null for nothing; return whether it does. */
export function keep(storage, name, what) {
  try {
    if (what === null) storage().removeItem(name);
    else storage().setItem(name, JSON.stringify(what));
    return true;
  } catch {
    return false; // a private window, or there is no room
  }
}

/** Return in how many moves each board was solved here, by name. */
export function solvedBoards() {
  return kept(() => localStorage, "solved", (found) => typeof found === "object" && found !== null) ?? {};
}

for (const [name, moves] of Object.entries(solvedBoards())) {
  const link = document.querySelector(`.boards a[data-board="${CSS.escape(name)}"]`);
  link?.append(element("span", { class: "solved" }, `✓ ${counted(moves, "move")}`));
}

// The page's own pictures; those in a closed <details> only when it is opened.
for (const svg of document.querySelectorAll("svg[data-cells]")) {
  const folded = svg.closest("details:not([open])");
  if (folded === null) drawWithJumps(svg);
  else folded.addEventListener("toggle", () => drawWithJumps(svg), { once: true });
}

/** Draw a picture, with an arrow for each jump in data-jumps="3133.2123". */
function drawWithJumps(svg) {
  const view = drawPicture(svg);
  if (svg.dataset.jumps) view.point(parseJumps(svg.dataset.jumps).map((jump) => ({ jump, kind: "hint" })));
}
