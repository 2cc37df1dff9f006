// @ts-check

/* The board's page of `grade play`, with hints: the choice of helper, the running seconds, Cancel, and the answer. */

import { button, card } from "../web/card.js";
import { counted, formatJump, legalPart } from "../web/position.js";
import { judgeOf } from "./judge.js";
import { addressOf, byId, element, enable, keep, kept, onPress, pageData } from "../web/page.js";
import { Play } from "../web/play.js";
import { PAGE, answered, heartbeat, isOpen, post, progress } from "./requests.js";

const REMEMBERED = "who answers";

class Hints {
  /**
   * @param page the Play on whose board jumps are shown.
   * @param data `helpers`: the sources of hints, the strongest first, [{who, title, ready, why, judges}]; `small`:
   *     whether the oracle knows the board's positions at once.
   */
  constructor(page, { helpers, small }) {
    this.page = page;
    this.small = small;
    this.running = null; // {id, who, cancelled} of the current hint; id is null until the server sends it
    this.shown = null; // the jump that is shown
    this.rest = null; // {jumps, illegal} that "Play the rest" plays
    this._show(helpers);
    byId("who").addEventListener("change", () => {
      keep(() => localStorage, REMEMBERED, byId("who").value);
      this._leadToFilm();
    });
    onPress(byId("hint"), () => this.ask());
    onPress(byId("cancel"), () => this.cancel());
    onPress(byId("play-hint"), () => this.playShown());
    onPress(byId("play-rest"), () => this.page.playRest(this.rest.jumps, this.rest.illegal));
    heartbeat((helpers) => !this.isRunning && this._show(helpers));
  }

  get isRunning() {
    return this.running !== null;
  }

  // ---- who answers -------------------------------------------------------------------------------

  /** Show who can answer; the choice stays, or is the one of an earlier visit, or the strongest. */
  _show(helpers) {
    if (JSON.stringify(helpers) === JSON.stringify(this.helpers)) return;
    const isFirst = this.helpers === undefined;
    const before = byId("who").value;
    this.helpers = helpers;
    byId("who").replaceChildren(...helpers.map(({ who, title, ready, why }) => {
      const option = /** @type {HTMLOptionElement} */ (element("option", { value: who }, ready ? title : `${title} (${why})`));
      option.disabled = !ready;
      return option;
    }));
    const remembered = kept(() => localStorage, REMEMBERED, (found) => typeof found === "string");
    const ready = helpers.filter((helper) => helper.ready);
    const chosen = [before, remembered].map((name) => ready.find(({ who }) => who === name)).find(Boolean) ?? ready[0];
    if (chosen) byId("who").value = chosen.who;
    enable(byId("hint"), Boolean(chosen) && !this.isRunning);
    this._leadToFilm();
    if (!chosen) this._say("Nobody can answer yet: write one of these programs first.");
    else if (!isFirst) this._say("");
  }

  /** Lead to the film of the chosen program's search from here. */
  _leadToFilm() {
    const { data, game } = this.page;
    const helper = this.helpers.find(({ who }) => who === byId("who").value);
    byId("film").hidden = !(helper?.ready && helper.has_film);
    byId("film").textContent = `Film of ${helper?.who}`;
    byId("film").href = addressOf(data.board, game.played).replace("/play/", `/film/${helper?.who}/`);
  }

  /** Who judges positions for the timeline. */
  get judge() {
    return judgeOf(this.helpers, this.small);
  }

  // ---- asking ------------------------------------------------------------------------------------

  /** Ask the chosen helper what to play here. */
  async ask() {
    const helper = this.helpers.find(({ who }) => who === byId("who").value);
    if (this.isRunning || !helper?.ready) return;
    this.forget();
    const asked = { id: null, cancelled: false, who: helper.who };
    this.running = asked;
    this._busy(true);
    this._say(`${helper.who}: starting`);
    const first = await post("/api/hint", { cells: this.page.game.position.cells, who: helper.who, page: PAGE });
    asked.id = first.id ?? null;
    if (asked.cancelled && asked.id !== null) return this._stop(asked);
    const answer = await answered(first, (so_far) => {
      if (!asked.cancelled) this._say(progress(helper.who, so_far));
      return !asked.cancelled;
    });
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
    this._end();
    this.shown = this.rest = null;
    this.page.view.point([]);
    this._say("");
    byId("hint-message").hidden = true;
    byId("hint-jumps").replaceChildren();
    byId("play-hint").hidden = byId("play-rest").hidden = true;
    this._leadToFilm();
  }

  playShown() {
    if (this.shown !== null) this.page.play(this.shown);
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

  // ---- the answer --------------------------------------------------------------------------------

  _answer(helper, answer) {
    this._say(verdict(helper.who, answer));
    if (answer.message) {
      byId("hint-message").replaceChildren(card(answer.card ?? { headline: answer.message, help: answer.help }));
      byId("hint-message").hidden = false;
    }
    if (helper.who === "oracle") {
      if (answer.jumps) this._markJumps(answer.jumps, answer.solvable);
      return;
    }
    if (answer.jump) {
      this.shown = answer.jump;
      this.page.view.point([{ jump: answer.jump, kind: "hint" }]);
      byId("play-hint").hidden = false;
    }
    this._offerRest(answer.jumps ?? []);
  }

  /** Offer to play all the jumps of an answer, up to one that is illegal; draw that one. */
  _offerRest(jumps) {
    const legal = legalPart(this.page.game.position, jumps);
    const illegal = legal.length < jumps.length ? { jump: jumps[legal.length] } : null;
    if (illegal !== null) this.page.view.point([{ jump: illegal.jump, kind: "illegal" }]);
    if (legal.length < (illegal === null ? 2 : 1)) return;
    this.rest = { jumps: legal, illegal };
    byId("play-rest").textContent = illegal === null ? "Play the rest" : `Play up to the illegal jump, ${legal.length + 1}`;
    byId("play-rest").hidden = false;
  }

  /** Show the oracle's verdict on each legal jump, in the picture and in words. */
  _markJumps(jumps, solvable) {
    const fewest = Math.min(...jumps.map((each) => each.fewest ?? Infinity)); // where no jump wins
    const isBest = (each) => solvable === false && each.fewest === fewest;
    const kind = (each) => (each.wins ? "wins" : isBest(each) ? "hint" : "loses");
    this.page.view.point(jumps.map((each) => ({ jump: each.jump, kind: kind(each) })));
    for (const each of jumps) {
      const go = button(`Play ${formatJump(each.jump)}`, () => this.page.play(each.jump));
      const left = each.fewest ? `: ${counted(each.fewest, "peg")} left at best` : "";
      const words = each.wins ? "✓ still winnable" : `${isBest(each) ? "★ the fewest" : "✗ no longer winnable"}${left}`;
      byId("hint-jumps").append(element("li", { class: kind(each) }, go, ` ${words}`));
    }
  }
}

/** Return the outcome of a hint in one line. */
function verdict(who, { state, said, seconds, cpu_s }) {
  if (state === "failed") return `${who}: no answer`;
  const cpu = cpu_s === undefined ? "" : `, ${cpu_s.toFixed(2)} CPU seconds`;
  const time = seconds === undefined ? "" : ` (${seconds.toFixed(1)} s${cpu})`;
  return `${said ?? `${who} has no jump to show`}${time}`;
}

const data = pageData();
const play = new Play(data, (page) => new Hints(page, data));
if (data.rest) play.playRest(data.rest.jumps, data.rest.illegal, false);
