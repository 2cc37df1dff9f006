// @ts-check

/* Ask the server, wait for its answers, and tell it that this page is open. */

import { counted } from "../web/position.js";
import { byId } from "../web/page.js";

const POLL_MS = 120;
const HEARTBEAT_MS = 5000; // the server ends a page's hints when it has been silent for longer
export const PAGE = crypto.randomUUID(); // so that closing this page ends its hints

/** @typedef {Record<string, any>} Answer `state` is "failed" if the server refuses or does not respond */

/** @returns {Promise<Answer>} */
export async function post(path, body) {
  return request(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
}

/**
 * Return the server's answer; {state: "failed", message, help} if it refuses or does not respond.
 *
 * @returns {Promise<Answer>}
 */
async function request(path, options = {}) {
  try {
    const response = await fetch(path, options);
    const answer = response.status === 204 ? {} : await response.json();
    return response.ok ? answer : { message: `refused: ${response.status}`, ...answer, state: "failed" };
  } catch {
    return {
      state: "failed",
      lost: true,
      message: "the server does not answer",
      help: "is grade play still running in your terminal? start it again, and open the address it prints",
    };
  }
}

/** Wait for an answer that has not come yet; `goesOn` is told of the state so far, and returns whether to wait on. */
export async function answered(answer, goesOn = (so_far) => true) {
  while (isOpen(answer) && goesOn(answer)) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    if (goesOn(answer)) answer = await request(`/api/hint/${answer.id}`);
  }
  return answer;
}

/** Return a hint's progress in words, with the seconds. */
export function progress(who, { state, doing = "", limit_s = null, seconds = 0, ahead = 0 }) {
  if (state === "queued") return `${who}: waits, ${counted(ahead, "hint")} before it`;
  const limit = limit_s === null ? "" : `, of at most ${limit_s} CPU seconds`;
  return `${who}: ${doing && `${doing}, `}${seconds.toFixed(1)} s${limit}`;
}

export function isOpen({ state }) {
  return state === "queued" || state === "running";
}

/** Send heartbeats to the server, which answers who can give hints, and a message when this page is closed. */
export function heartbeat(onHelpers) {
  const here = async () => {
    const { lost, helpers } = await post("/api/here", { page: PAGE });
    byId("lost").hidden = !lost;
    if (helpers) onHelpers(helpers);
  };
  here();
  setInterval(here, HEARTBEAT_MS);
  addEventListener("focus", here); // back from an editor, where a task may have been written
  addEventListener("pageshow", (event) => event.persisted && here());
  addEventListener("pagehide", () => {
    navigator.sendBeacon("/api/bye", new Blob([JSON.stringify({ page: PAGE })], { type: "application/json" }));
  });
}
