// @ts-check

/* The boards of a report: drawn in place of their text, with controls to step through each solution. */

import { drawPicture } from "../web/board.js";
import { Stepper } from "../web/stepper.js";
import "../web/unfold.js";

for (const svg of document.querySelectorAll("svg.still")) {
  const view = drawPicture(svg);
  const figure = svg.parentElement;
  const { jumps, illegal, reason } = figure.dataset;
  if (jumps === undefined) continue; // a picture without a game
  const played = { jumps: JSON.parse(jumps), illegal: illegal === "" ? null : JSON.parse(illegal), reason };
  if (played.jumps.length > 0 || played.illegal !== null) addControls(figure, view, played);
}

/** Let readers step through a game, which begins at its end: that is what the message speaks of. */
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
  stepper.show(stepper.steps);
}
