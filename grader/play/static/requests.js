// @ts-check

/* Ask the server, wait for its answers, and tell it that this page is open. */

import { progress } from "../web/progress.js";
import { byId } from "../web/page.js";

const POLL_MS = 120;
const HEARTBEAT_MS = 5000; // the server ends a page's hints when it has been silent for longer
const PAGE = crypto.randomUUID(); // so that closing this page ends its hints

/** @typedef {import("../web/progress.js").Answer} Answer */

/** What answers hints, as web/hints.js takes it, and makes random boards and films. */
export const server = {
  ask: (who, cells, say) => ask("/api/hint", who, { who, cells }, say),
  random: (about) => ask("/api/random", "random", about),
  film: ({ who, position }, say) => ask("/api/film", who, { who, position }, say),
  follow: heartbeat,
};

/**
 * Ask the server; `say` is told in words how far it is.
 *
 * @returns {import("../web/progress.js").Asked}
 */
function ask(path, who, about, say = (words) => {}) {
  const first = post(path, { page: PAGE, ...about });
  let isCancelled = false;
  const answered = async () => {
    let answer = await first;
    while (["queued", "running"].includes(answer.state) && !isCancelled) {
      say(progress(who, answer));
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      if (!isCancelled) answer = await request(`/api/hint/${answer.id}`);
    }
    return isCancelled ? null : answer;
  };
  const cancel = async () => {
    isCancelled = true;
    const { state, message } = await post(`/api/hint/${(await first).id}/cancel`, {});
    return `${who}: ${state === "failed" ? message : "cancelled, its process has ended"}`;
  };
  return { answer: answered(), cancel };
}

/** @returns {Promise<Answer>} */
async function post(path, body) {
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

/** Send heartbeats to the server, which answers who can give hints, and a message when this page is closed. */
function heartbeat(onHelpers) {
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
