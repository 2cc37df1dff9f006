// @ts-check

/* What is kept at once, in localStorage: texts, and the task that was shown last. A browser may refuse it. */

import { keep, kept } from "./web/page.js";

const PLACE = location.pathname.replace(/[^/]*$/, ""); // several courses may share a host
export const NAME = `peg-solitaire ${PLACE}`;

export const atOnce = {
  get: (name) => kept(() => localStorage, `${NAME} ${name}`),
  /** Keep a value, null for none; return whether it is kept. */
  set: (name, value) => keep(() => localStorage, `${NAME} ${name}`, value),
};
