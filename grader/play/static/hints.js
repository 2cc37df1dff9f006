"use strict";

/* Hints: the choice of helper, the running seconds, Cancel, and the answer. Classes only; play.js has the page. */

const POLL_MS = 120;
const HEARTBEAT_MS = 5000; // the server ends a page's hints when it has been silent for longer
const PAGE = crypto.randomUUID(); // so that closing this page ends its hints

class Hints {
  /**
   * @param helpers the sources of hints: [{who, title, ready, why}].
   * @param position returns the position to ask about.
   * @param play plays a jump on the page.
   * @param view the BoardView on which jumps are shown.
   */
  constructor(helpers, position, play, view) {
    Object.assign(this, { helpers, position, play, view });
    this.running = null; // {id, who, cancelled} of the current hint; id is null until the server sends it
    this.shown = null; // the jump that is shown
    for (const { who, title, ready, why } of helpers) {
      const option = element("option", { value: who }, ready ? title : `${title} (${why})`);
      option.disabled = !ready;
      byId("who").append(option);
    }
    const first = helpers.find(({ ready }) => ready);
    if (first) byId("who").value = first.who;
    enable(byId("hint"), Boolean(first));
    if (!first) this._say("Nobody can answer yet: write one of these programs first.");
    onPress(byId("hint"), () => this.ask());
    onPress(byId("cancel"), () => this.cancel());
    onPress(byId("play-hint"), () => this.playShown());
    this._heartbeat();
  }

  get isRunning() {
    return this.running !== null;
  }

  /** Ask the chosen helper what to play here. */
  async ask() {
    const helper = this.helpers.find(({ who }) => who === byId("who").value);
    if (this.isRunning || !helper?.ready) return;
    this.forget();
    const asked = { id: null, cancelled: false, who: helper.who };
    this.running = asked;
    this._busy(true);
    this._say(`${helper.who}: starting`);
    const body = { cells: this.position().cells, who: helper.who, page: PAGE };
    let answer = await post("/api/hint", body);
    if (answer.id !== undefined) asked.id = answer.id;
    if (asked.cancelled && asked.id !== null) {
      await this._stop(asked);
      return;
    }
    while (isOpen(answer) && !asked.cancelled) {
      this._say(progress(helper.who, answer));
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      if (!asked.cancelled) answer = await get(`/api/hint/${asked.id}`);
    }
    if (this.running !== asked || isOpen(answer)) return; // `cancel` or `forget` has shown the outcome
    this._end();
    this._answer(helper, answer);
  }

  /** Cancel the running hint; when the page says so, its process has ended. */
  async cancel() {
    const asked = this.running;
    if (asked === null || asked.cancelled) return;
    asked.cancelled = true;
    this._say(`${asked.who}: stopping`);
    if (asked.id === null) return; // `ask` cancels it as soon as it has an id
    await this._stop(asked);
  }

  /** Hide the hint, and end the running one: the position has changed. */
  forget() {
    if (byId("hint-answer").contains(document.activeElement)) byId("hint").focus(); // it is about to disappear
    this.cancel();
    this.running = null;
    this._end();
    this.shown = null;
    this.view.point([]);
    this._say("");
    byId("hint-message").hidden = true;
    byId("hint-jumps").replaceChildren();
    byId("play-hint").hidden = true;
  }

  playShown() {
    if (this.shown !== null) this.play(this.shown);
  }

  async _stop(asked) {
    const answer = await post(`/api/hint/${asked.id}/cancel`, {});
    if (this.running === asked) {
      this._end();
      const failed = answer.state === "failed";
      this._say(`${asked.who}: ${failed ? answer.message : "cancelled, its process has ended"}`);
    }
  }

  _end() {
    this.running = null;
    this._busy(false);
  }

  _busy(busy) {
    const cancel = byId("cancel");
    if (!busy && document.activeElement === cancel) byId("hint").focus();
    cancel.hidden = !busy;
    enable(byId("hint"), !busy && this.helpers.some(({ ready }) => ready));
    byId("who").disabled = busy;
    byId("hints").setAttribute("aria-busy", `${busy}`);
  }

  _say(words) {
    byId("hint-said").textContent = words;
  }

  _answer(helper, answer) {
    this._say(verdict(helper.who, answer));
    if (answer.message) {
      byId("hint-message").textContent = [answer.message, answer.help && `help: ${answer.help}`].filter(Boolean).join("\n");
      byId("hint-message").hidden = false;
    }
    if (helper.who === "oracle" && answer.jumps) {
      this._markJumps(answer.jumps);
    } else if (answer.jump) {
      this._show(answer.jump);
    }
  }

  _show(jump) {
    this.shown = jump;
    this.view.point([{ jump, kind: "hint" }]);
    byId("play-hint").hidden = false;
  }

  /** Show the oracle's verdict on each legal jump, in the picture and in words. */
  _markJumps(jumps) {
    this.view.point(jumps.map(({ jump, wins }) => ({ jump, kind: wins ? "wins" : "loses" })));
    for (const { jump, wins } of jumps) {
      const button = element("button", { type: "button", class: "small" }, `Play ${formatJump(jump)}`);
      onPress(button, () => this.play(jump));
      const words = wins ? "✓ still winnable" : "✗ no longer winnable";
      byId("hint-jumps").append(element("li", { class: wins ? "wins" : "loses" }, button, ` ${words}`));
    }
  }

  /** Send heartbeats to the server, and a message when this page is closed. */
  _heartbeat() {
    const here = () => post("/api/here", { page: PAGE }).then(({ lost }) => (byId("lost").hidden = !lost));
    here();
    setInterval(here, HEARTBEAT_MS);
    addEventListener("pageshow", (event) => event.persisted && here());
    addEventListener("pagehide", () => {
      navigator.sendBeacon("/api/bye", new Blob([JSON.stringify({ page: PAGE })], { type: "application/json" }));
    });
  }
}

function isOpen({ state }) {
  return state === "queued" || state === "running";
}

/** Return a hint's progress in words, with the seconds. */
function progress(who, { state, seconds = 0, ahead = 0 }) {
  if (state === "queued") return `${who}: waits, ${counted(ahead, "hint")} before it`;
  return `${who}: ${seconds.toFixed(1)} s`;
}

/** Return the outcome of a hint in one line. */
function verdict(who, { state, said, seconds }) {
  if (state === "failed") return `${who}: no answer`;
  const time = seconds === undefined ? "" : ` (${seconds.toFixed(1)} s)`;
  return `${said ?? `${who} has no jump to show`}${time}`;
}

async function post(path, body) {
  return request(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
}

async function get(path) {
  return request(path, {});
}

/** Return the server's answer; {state: "failed", message, help} if it refuses or does not respond. */
async function request(path, options) {
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
