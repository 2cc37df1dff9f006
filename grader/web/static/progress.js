// @ts-check

/* How far something is that was asked, in words: a server in `grade play`, workers on the course's site. */

import { counted } from "./position.js";

/** @typedef {any} Answer `state` is "done", or "failed": then `message` and `help` say why */

/**
 * @typedef {object} Asked
 * @property {Promise<Answer | null>} answer null once it is cancelled
 * @property {() => Promise<string>} cancel ends what was asked, and resolves with what to say then
 */

/** Return how far it is, with the seconds. */
export function progress(who, { state, doing = "", limit_s = null, seconds = 0, ahead = 0 }) {
  if (state === "queued") return `${who}: waits, ${counted(ahead, "hint")} before it`;
  const limit = limit_s === null ? "" : `, of at most ${Number(limit_s.toFixed(1))} CPU seconds`;
  return `${who}: ${doing && `${doing}, `}${seconds.toFixed(1)} s${limit}`;
}

/** Return how much is loaded; both numbers are bytes. */
export function loadedOf(had, all) {
  return `${(had / 1e6).toFixed(1)} of ${(all / 1e6).toFixed(1)} MB of Python loaded`;
}

/** Says again and again how far a worker is that was asked a question. */
export class Clock {
  /** @param {(words: string) => void} say */
  constructor(say, doing = "") {
    this.say = say;
    this.doing = doing;
    this.asked = "";
    this.timer = 0;
  }

  /** Count the seconds of a question; more questions of the same go on where the last one was. */
  start(who, { cpu_s, request: { film_s } }) {
    const soFar = { state: "running", doing: this.doing, limit_s: film_s ?? cpu_s };
    if (this.asked === `${who} ${cpu_s}`) return;
    this.stop();
    this.asked = `${who} ${cpu_s}`;
    const since = performance.now();
    const show = () => this.say(progress(who, { ...soFar, seconds: (performance.now() - since) / 1000 }));
    this.timer = setInterval(show, 250);
    show();
  }

  stop() {
    clearInterval(this.timer);
    this.asked = "";
  }
}
