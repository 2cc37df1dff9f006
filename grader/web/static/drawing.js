// @ts-check

/* Shapes of a board's picture, in SVG; their colours are in the style sheet. */

export const UNIT = 100; // the side of a cell in the picture's own units
const TICK = "M-9 1l6 7l12 -15";
const CROSS = "M-8 -8l16 16M-8 8l16 -16";
const SIGNS = { wins: TICK, loses: CROSS, illegal: CROSS }; // by kind of arrow

/** Return an SVG element. */
export function draw(name, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** Return a gradient of [colour, offset]...; each colour has a name in the style sheet. */
export function gradient(name, id, ...stops) {
  const attributes = stops.pop();
  return draw(name, { id, ...attributes }, ...stops.map(([colour, offset]) => draw("stop", { "stop-color": `var(--${colour})`, offset })));
}

/**
 * Return the centre of a cell, as attributes of a circle.
 *
 * @param {number[]} cell
 */
export function centre([row, col]) {
  return { cx: (col + 0.5) * UNIT, cy: (row + 0.5) * UNIT };
}

/** Return an arrow along a jump, with a tick or a cross near its head where its kind has one. */
export function drawArrow([row, col, rowEnd, colEnd], kind) {
  const [from, to] = [centre([row, col]), centre([rowEnd, colEnd])];
  const length = Math.hypot(to.cx - from.cx, to.cy - from.cy) || 1;
  const [x, y] = [(to.cx - from.cx) / length, (to.cy - from.cy) / length];
  const point = (along, across) =>
    `${from.cx + x * along - y * across} ${from.cy + y * along + x * across}`;
  const tip = length - 24; // short of the centre, so that arrows that meet in a hole stay distinct
  const shaft = `M${point(0, 0)}L${point(tip - 24, 0)}`;
  const head = `M${point(tip - 30, -20)}L${point(tip, 0)}L${point(tip - 30, 20)}z`;
  const arrow = draw(
    "g",
    { class: `arrow ${kind}` },
    draw("path", { class: "outline", d: shaft + head }),
    draw("path", { class: "shaft", d: shaft }),
    draw("path", { class: "head", d: head }),
  );
  if (kind in SIGNS) arrow.append(signed(point(length * 0.58, 0), SIGNS[kind]));
  return arrow;
}

/** Return a tick or a cross at the upper right of a cell. */
export function drawBadge([row, col], isGood) {
  const place = `${(col + 0.76) * UNIT} ${(row + 0.24) * UNIT}`;
  return draw("g", { class: `arrow ${isGood ? "wins" : "loses"}` }, signed(place, isGood ? TICK : CROSS));
}

function signed(place, sign) {
  const circle = draw("circle", { class: "badge", r: 20 });
  return draw("g", { transform: `translate(${place})` }, circle, draw("path", { class: "sign", d: sign }));
}

/** Animate, unless the reader prefers no motion. */
export function animate(element, frames) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  element.animate(frames, { duration: 240, easing: "ease-in-out" });
}
