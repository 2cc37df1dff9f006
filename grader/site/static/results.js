// @ts-check

/* What a run found: the messages, in the words of `grade`, and beside them a table that grows with each check. */

import { button, card } from "./web/card.js";
import { addressOf, element, filmOf } from "./web/page.js";

const TITLES = ["", "board", "pegs", "truth", "your answer", "time", "states", "points"];
const NUMBERS = ["pegs", "time", "states", "points"];
const SPARE = ["pegs", "truth", "time"]; // columns that a phone has no room for

/** The results of one task: those of its last run. */
export class Results {
  /**
   * @param parent an empty element.
   * @param task as in course.json.
   * @param onMark called with {file, line} when a line of a message is chosen.
   * @param onRun called with whether contracts are checked, and the checks to run; null for all.
   */
  constructor(parent, task, onMark, onRun) {
    this.task = task;
    this.parent = parent;
    this.onMark = onMark;
    this.onRun = onRun;
    parent.append(this._boards());
  }

  /** Make room for a new run, with or without contracts; `boards` names the checks if it is not one of all. */
  start(contracts, boards) {
    this.contracts = contracts;
    this.body = element("tbody");
    const isPlayed = this.task.boards.some(({ pegs }) => pegs != null);
    this.titles = TITLES.filter((title) => isPlayed || !["pegs", "truth"].includes(title));
    const head = (title) => (title ? element("th", { scope: "col" }, title === "board" && !isPlayed ? "check" : title) : element("td"));
    const titles = this.titles.map((title) => column(head(title), title));
    const caption = element("caption", {}, [this.task.name, contracts ? "with contracts" : "without contracts", ...(boards ?? [])].join(", "));
    this.table = element("table", { class: "without-states" }, caption, element("thead", {}, element("tr", {}, ...titles)), this.body);
    this.wide = element("div", { class: "wide", tabindex: "0", role: "region", "aria-label": `results of ${this.task.name}` }, this.table);
    this.messages = element("div", { class: "messages" });
    this.more = element("div");
    const told = element("div", { class: "told", tabindex: "0", role: "region", "aria-label": `messages of ${this.task.name}` }, this.messages, this.more);
    this.parent.replaceChildren(told, this.wide); // what is to be mended is seen first
  }

  /** Show the checks that have ended so far. */
  rows(rows) {
    for (const row of rows.slice(this.body.rows.length)) this._row(row);
  }

  _row(row) {
    const isUnwritten = row.verdict === "not-written" && row.pegs == null; // it may be another check's function
    const cells = {
      "": row.word,
      board: row.board,
      pegs: row.pegs ?? "",
      truth: row.truth ?? "",
      "your answer": isUnwritten ? row.headline.replaceAll("`", "") : row.answer ?? "",
      time: ["-", "todo"].includes(row.word) ? "-" : `${row.seconds.toFixed(2)} s`,
      states: row.states == null ? "" : row.states.toLocaleString("en"),
      points: `${row.points} / ${row.maxPoints}`,
    };
    const made = this.titles.map((title) => column(element("td", {}, `${cells[title]}`), title));
    const check = this.task.boards.find(({ name }) => name === row.board);
    if (check?.pegs != null) made[1].replaceChildren(boardLink(check));
    made[0].className = "word";
    made[0].dataset.word = row.word;
    this.body.append(element("tr", {}, ...made));
    if (row.states != null) this.table.classList.remove("without-states");
    if (row.headline && row.verdict !== "not-run") this.messages.append(card(row));
    if (row.printed) {
      const text = element("pre", { class: "printed", tabindex: "0" }, row.printed);
      this.more.append(element("details", {}, element("summary", {}, `What your program printed: ${row.board}`), text));
    }
  }

  /** Show how a run ended, with the checks that were not run. */
  end(report) {
    [this.body, this.more].forEach((each) => each.replaceChildren());
    this.rows(report.rows);
    this.messages.replaceChildren(...(report.causes ?? []).map((cause) => this._cause(cause)));
    if (report.refused) this.messages.append(card({ headline: report.refused.message, help: report.refused.help }));
    this.messages.append(...this._notRun(report.rows));
    if (report.after) this.messages.append(this._goOn(report));
    const shown = report.rows.findIndex(({ board }) => board === report.causes?.[0]?.board);
    const row = this.body.rows[shown] ?? [...this.body.rows].find((each) => !each.querySelector("[data-word=ok]"));
    const tops = [...this.body.rows].slice(0, row?.rowIndex ?? 0).map((each) => (each.offsetParent?.offsetTop ?? 0) + each.offsetTop - this.table.tHead.offsetHeight);
    this.wide.scrollTop = tops.findLast((top) => top <= this.wide.scrollHeight - this.wide.clientHeight) ?? 0; // a whole row first; nothing else is scrolled
  }

  /** Return the card of a cause of failures, with what can be done about it here. */
  _cause(cause) {
    const { board, game, place } = cause;
    const check = this.task.boards.find(({ name }) => name === board);
    const isSeen = game != null && check;
    const again = { does: this.contracts ? "Run" : "Grade", task: this.task.name, boards: [board] };
    const steps = [cause.button, isSeen && again].filter(Boolean).map((each) => this._button(each));
    if (steps[1]?.textContent === steps[0]?.textContent) steps.pop();
    if (isSeen) {
      const link = boardLink(check, game);
      link.replaceChildren(game ? "See what it played" : `Play ${board}`);
      steps.push(link);
      if (this.task.film) steps.push(element("a", { href: filmOf(this.task.name, check.board ?? board), target: "film" }, "Film of the search"));
    }
    const where = place.replace("student/", "");
    const [file, line] = where.split(":");
    const goTo = this.task.files.includes(file) ? () => this.onMark({ file, line: Number(line) }) : null;
    return card({ ...cause, place: where }, steps, goTo);
  }

  /** Return what to do after all points: the next task, or a look at what was written. */
  _goOn({ after, rows }) {
    const board = this.task.boards.findLast(({ contracts, pegs, solvable }) => contracts && solvable && pegs > 1);
    const film = { href: filmOf(this.task.name, board?.board ?? board?.name), target: "film" };
    const next = element("a", { class: "button primary", href: `#${after}` }, `Go on with ${after}`);
    return element("p", { class: "steps" }, `All ${rows.length} are right.`, next, ...(this.task.film ? [element("a", film, "See your search as a film")] : []));
  }

  /** Return what does what a command of the terminal does. */
  _button({ does, task, boards, address = "" }) {
    if (address) return element("a", { href: address, target: "film" }, does);
    if (does === "Open") return element("a", { href: `#${task}` }, `Open ${task}`);
    return button([does, ...boards].join(" "), () => this.onRun(does === "Run", boards.length > 0 ? boards : null));
  }

  /** Return a line for each reason why checks were not run; a reason with a place has a card. */
  _notRun(rows) {
    const reasons = new Map();
    for (const { board, verdict, headline, place } of rows) {
      if (verdict === "not-run" && headline && !place) reasons.set(headline, [...(reasons.get(headline) ?? []), board]);
    }
    return Array.from(reasons, ([why, boards]) => element("p", { class: "soft not-run" }, `${why} (${boards.join(", ")})`));
  }

  /** Return the checks of the task, each a link to play its board; those that are not run here with the reason. */
  _boards() {
    const isPlayed = this.task.boards.every(({ pegs }) => pegs != null);
    const groups = new Map([["", []]]);
    for (const check of this.task.boards) {
      const why = check.notRun ?? "";
      groups.set(why, [...(groups.get(why) ?? []), check]);
    }
    const parts = [...groups].flatMap(([why, checks]) => {
      const title = why ? `Not run here: ${why}` : isPlayed ? "The boards, to play" : "What is checked";
      const items = checks.map((check) => element("li", {}, check.pegs == null ? check.name : boardLink(check)));
      return checks.length > 0 ? [element("h3", {}, title), element("ul", { class: "checks" }, ...items)] : [];
    });
    return element("div", { class: "before" }, ...parts);
  }
}

/** Return a link to play a check's board, perhaps from some jumps on; the check may have a name of its own. */
function boardLink({ name, board = name }, jumps = "") {
  return element("a", { href: addressOf(board) + (jumps && `/${jumps}`), target: "play" }, name);
}

function column(cell, title) {
  if (NUMBERS.includes(title)) cell.classList.add("number");
  if (SPARE.includes(title)) cell.classList.add("spare");
  if (title === "states") cell.classList.add("states");
  return cell;
}
