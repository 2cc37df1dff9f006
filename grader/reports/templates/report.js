// @ts-check

/* The boards of a report: drawn in place of their text, with controls to step through each solution. */

import { drawPicture } from "../web/board.js";
import { Stepper } from "../web/stepper.js";

/** Unfold what a link leads to. */
function unfold() {
  for (let at = document.getElementById(location.hash.slice(1)); at; at = at.parentElement) {
    if (at instanceof HTMLDetailsElement) at.open = true;
  }
}
addEventListener("hashchange", unfold);
unfold();

for (const svg of document.querySelectorAll("svg.still")) {
  const view = drawPicture(svg);
  const figure = svg.parentElement;
  const { jumps, illegal, reason } = figure.dataset;
  if (jumps === undefined) continue; // a picture without a game
  const played = { jumps: JSON.parse(jumps), illegal: illegal === "" ? null : JSON.parse(illegal), reason };
  if (played.jumps.length > 0 || played.illegal !== null) addControls(figure, view, played);
}

/** Let readers step through a game; one that ends with an illegal jump begins there, where it went wrong. */
function addControls(figure, view, played) {
  const controls = figure.querySelector(".replay");
  const [back, next] = [controls.querySelector(".back"), controls.querySelector(".next")];
  const scrub = controls.querySelector("input");
  const stepper = new Stepper(view, played, ({ at, steps, words }) => {
    scrub.value = at;
    scrub.setAttribute("aria-valuetext", words);
    back.setAttribute("aria-disabled", `${at === 0}`);
    next.setAttribute("aria-disabled", `${at === steps}`);
    controls.querySelector(".status").textContent = words;
  });
  scrub.max = stepper.steps;
  back.addEventListener("click", () => stepper.show(stepper.at - 1));
  next.addEventListener("click", () => stepper.show(stepper.at + 1));
  scrub.addEventListener("input", () => stepper.show(Number(scrub.value)));
  controls.hidden = false;
  stepper.show(played.illegal === null ? 0 : stepper.steps);
}

/* Unfold everything for printing. */
let folded = [];
addEventListener("beforeprint", () => {
  folded = [...document.querySelectorAll("details:not([open])")];
  for (const details of folded) details.open = true;
});
addEventListener("afterprint", () => {
  for (const details of folded) details.open = false;
});
