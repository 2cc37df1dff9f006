// @ts-check

/* The card of a result: of the same data, the same elements as those of templates/card.html. */

import { drawPicture } from "./board.js";
import { draw } from "./drawing.js";
import { element } from "./elements.js";

/**
 * Return the card of a result.
 *
 * @param {Object<string, any>} said `card` of reports/json_report.py; `folded` has lines on other results.
 * @param {Node[]} steps what can be done about it.
 * @param onPlace called when the line of code is chosen; null if the page cannot go there.
 */
export function card(said, steps = [], onPlace = null) {
  const { head, word, headline, help, command, place, source, more = [], values = [], pictures = [], folded = [] } = said;
  const start = head ? [element("span", { class: "word", "data-word": word }, word), ` ${head}: `] : [];
  const words = element("div", { class: "words" }, element("h3", {}, ...start, element("span", { class: "headline" }, ...inCode(headline))));
  const add = (kind, ...parts) => words.append(element("p", { class: kind }, ...parts));
  if (help) add("help", element("strong", {}, "help:"), " ", ...inCode(help));
  if (command) add("command", code(command));
  if (steps.length > 0) add("steps", ...steps);
  if (place) add("place", onPlace ? button(place, onPlace) : place, " ", code(source));
  for (const line of more) add("more", ...inCode(line));
  const named = values.flatMap(([name, value]) => [element("dt", {}, code(name)), element("dd", {}, code(value))]);
  if (named.length > 0) words.append(element("dl", { class: "values" }, ...named));
  for (const line of folded) add("folded", line);
  return element("article", { class: "card" }, words, ...pictures.map(picture));
}

export function button(words, onClick) {
  const made = element("button", { type: "button", class: "small" }, words);
  made.addEventListener("click", onClick);
  return made;
}

/** Return a picture of a board, as small as those of a card. */
export function drawn(cells, marks = []) {
  const svg = draw("svg", { "data-cells": cells, "data-marks": JSON.stringify(marks), "data-least": "6,3", "data-labels": "" });
  drawPicture(svg);
  return svg;
}

export function picture({ cells, marks, caption }) {
  return element("figure", { class: "picture" }, drawn(cells, marks), ...(caption ? [element("figcaption", {}, ...inCode(caption))] : []));
}

/** Return words in which what stands between backticks is code, jumps have the arrow of the pages, and a handout of the site is a link. */
export function inCode(words) {
  const parts = words.replace(/([0-7]:[0-7]) -> (?=[0-7]:[0-7])/g, "$1 → ").split(/(`[^`]+`|handouts\/[\w-]+\.html)/);
  return parts.map((part, index) => (index % 2 === 0 ? part : part[0] === "`" ? code(part.slice(1, -1)) : element("a", { href: part }, part)));
}

function code(text) {
  return element("code", {}, text);
}
