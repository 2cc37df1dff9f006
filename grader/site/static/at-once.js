// @ts-check

/* What is kept at once, in localStorage: texts, and the task that was shown last. A browser may refuse it. */

const PLACE = location.pathname.replace(/[^/]*$/, ""); // several courses may share a host
export const NAME = `peg-solitaire ${PLACE}`;

export const atOnce = {
  get(name) {
    try {
      return JSON.parse(localStorage.getItem(`${NAME} ${name}`));
    } catch {
      return null;
    }
  },
  /** Keep a value, null for none; return whether it is kept. */
  set(name, value) {
    try {
      if (value === null) localStorage.removeItem(`${NAME} ${name}`);
      else localStorage.setItem(`${NAME} ${name}`, JSON.stringify(value));
      return true;
    } catch {
      return false;
    }
  },
};
