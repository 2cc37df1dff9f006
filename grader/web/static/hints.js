// @ts-check

/* The hints beside a board: the choice of helper, the running seconds, Cancel, and the answer. */

import { button, card } from "./card.js";
import { judgeOf } from "./judge.js";
import { byId, element, enable, filmOf, keep, kept, onPress, positionOf } from "./page.js";
import { counted, formatJump, legalPart } from "./position.js";

const REMEMBERED = "who answers";

export class Hints {
  /**
   * @param page the Play on whose board jumps are shown.
   * @param helpers the sources of hints, the strongest first: [{who, title, ready, why, judges}].
   * @param backend `ask(who, cells, say)` returns an Asked; `follow(show)`: `show` is told of other `helpers`.
   */
  constructor(page, helpers, backend) {
    this.page = page;
    this.backend = backend;
    this.running = null; // or the current hint: an Asked, `who` was asked, and whether it `isCancelled`
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
    backend.follow((found) => this.running === null && this._show(found));
  }

  /** Show who can answer; the choice stays, or is the one of an earlier visit, or the strongest. */
  _show(helpers) {
    if (JSON.stringify(helpers) === JSON.stringify(this.helpers)) return;
    const before = byId("who").value;
    this.helpers = helpers;
    byId("who").replaceChildren(...helpers.map(({ who, title, ready, why }) => {
      const option = /** @type {HTMLOptionElement} */ (element("option", { value: who }, ready ? title : why));
      option.disabled = !ready;
      return option;
    }));
    const remembered = kept(() => localStorage, REMEMBERED, (found) => typeof found === "string");
    const ready = helpers.filter((helper) => helper.ready);
    const chosen = [before, remembered].map((name) => ready.find(({ who }) => who === name)).find(Boolean) ?? ready[0];
    byId("who").value = (chosen ?? helpers[0]).who; // no empty box, even where nobody can answer
    this._busy(this.running !== null);
    this._leadToFilm();
    this._say(this._idle);
  }

  /** Lead to the film of the chosen program's search from here. */
  _leadToFilm() {
    const { data, game } = this.page;
    const helper = this.helpers.find(({ who }) => who === byId("who").value);
    byId("film").hidden = !(helper?.ready && helper.has_film);
    byId("film").textContent = `Film of ${helper?.who}`;
    byId("film").href = filmOf(helper?.who, positionOf(data.board, game.played));
  }

  /** Who judges positions for the timeline. */
  get judge() {
    return judgeOf(this.helpers, this.page.game.position.holes, this.backend.ask);
  }

  /** Ask the chosen helper what to play here. */
  async ask() {
    const helper = this.helpers.find(({ who }) => who === byId("who").value);
    if (this.running || !helper?.ready) return;
    this.forget();
    this._busy(true);
    this._say(`${helper.who}: starting`);
    const say = (words) => this.running === asked && this._say(words);
    const { cells } = this.page.game.position;
    const asked = { who: helper.who, isCancelled: false, ...this.backend.ask(helper.who, cells, say) };
    this.running = asked;
    const answer = await asked.answer;
    if (this.running !== asked || asked.isCancelled) return; // `cancel` or `forget` shows the outcome
    this._end();
    this._answer(helper, answer);
  }

  /** Cancel the running hint; when the page says so, the program has ended. */
  async cancel() {
    const asked = this.running;
    if (asked === null || asked.isCancelled) return;
    asked.isCancelled = true;
    this._say(`${asked.who}: stopping`);
    const said = await asked.cancel();
    if (this.running !== asked) return;
    this._end();
    this._say(said);
  }

  /** Hide the hint, and end the running one: the position has changed. */
  forget() {
    if (byId("hint-answer").contains(document.activeElement)) byId("hint").focus(); // it is about to disappear
    this.cancel();
    this._end();
    this.shown = this.rest = null;
    this.page.view.point([]);
    this._say(this._idle);
    byId("hint-message").hidden = true;
    byId("hint-jumps").replaceChildren();
    byId("play-hint").hidden = byId("play-rest").hidden = true;
    this._leadToFilm();
  }

  get _idle() {
    return this.helpers.some(({ ready }) => ready) ? "" : "Your programs from peg2 on answer here, once one of them is written.";
  }

  playShown() {
    if (this.shown !== null) this.page.play(this.shown);
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
    byId("who").disabled = busy || !this.helpers.some(({ ready }) => ready);
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
      byId("play-hint").textContent = `Play ${formatJump(answer.jump)}`;
      byId("play-hint").hidden = false;
      byId("board").scrollIntoView({ block: "nearest" }); // on a phone, where the arrow is drawn above
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
