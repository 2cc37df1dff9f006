/* What a run found: a table that grows with each check, then the messages, as `grade` prints them. */

const WORDS = { accepted: "ok", "not-written": "todo", "not-run": "-", timeout: "SLOW", "grader-error": "OURS" };
const TITLES = ["", "board", "pegs", "truth", "your answer", "time", "states", "points"];
const NUMBERS = ["pegs", "time", "states", "points"];
const SPARE = ["pegs", "truth", "time"]; // columns that a phone has no room for

/** The results of one task: those of its last run. */
export class Results {
  /**
   * @param parent an empty element.
   * @param task as in course.json.
   * @param onMark called with {file, line} when a line of a message is chosen.
   */
  constructor(parent, task, onMark) {
    this.task = task;
    this.parent = parent;
    this.onMark = onMark;
    parent.append(this._boards());
  }

  /** Make room for a new run. */
  start(how) {
    this.rows = 0;
    this.body = element("tbody");
    const isPlayed = this.task.boards.some(({ pegs }) => pegs != null);
    this.titles = TITLES.filter((title) => isPlayed || !["pegs", "truth"].includes(title));
    const titles = this.titles.map((title) => column(title ? element("th", { scope: "col" }, title) : element("td"), title));
    const caption = element("caption", {}, `${this.task.name}, ${how}`);
    this.table = element("table", { class: "without-states" }, caption, element("thead", {}, element("tr", {}, ...titles)), this.body);
    this.wide = element("div", { class: "wide", tabindex: "0", role: "region", "aria-label": `results of ${this.task.name}` }, this.table);
    this.messages = element("div", { class: "messages" });
    this.parent.replaceChildren(this.wide, this.messages);
  }

  /** Add a check that has ended. */
  row(row) {
    this.rows += 1;
    const word = row.verdict === "accepted" && row.points < row.maxPoints ? "part" : (WORDS[row.verdict] ?? "FAIL");
    const cells = {
      "": word,
      board: row.board,
      pegs: row.pegs ?? "",
      truth: row.truth ?? "",
      "your answer": row.answer ?? "",
      time: row.seconds == null ? "-" : `${row.seconds.toFixed(2)} s`,
      states: row.states == null ? "" : row.states.toLocaleString("en"),
      points: `${row.points} / ${row.maxPoints}`,
    };
    const made = this.titles.map((title) => column(element("td", {}, `${cells[title]}`), title));
    if (row.pegs != null) made[1].replaceChildren(boardLink(row.board));
    made[0].className = `word ${word === "-" ? "none" : word}`;
    this.body.append(element("tr", {}, ...made));
    if (row.states != null) this.table.classList.remove("without-states");
    if (row.message) {
      const help = row.help ? `\nhelp: ${row.help}` : "";
      this.messages.append(element("pre", {}, `${row.message}${help}`));
    }
  }

  /** Show how a run ended. */
  end(report) {
    if (report.messages) this.messages.replaceChildren(element("pre", {}, report.messages.trim()));
    if (report.marks?.length > 0) this.messages.before(this._marks(report.marks));
    if (report.table) {
      const text = element("pre", {}, report.table.trim());
      this.parent.append(element("details", {}, element("summary", {}, "The table as text"), text));
    }
  }

  _marks(marks) {
    const made = marks.map(({ file, line, text }) => {
      const button = element("button", { type: "button", class: "small" }, `${file}:${line}`);
      button.addEventListener("click", () => this.onMark({ file, line }));
      return element("li", {}, button, ` ${text}`);
    });
    return element("ul", { class: "marks", "aria-label": "lines of your files" }, ...made);
  }

  /** Return the boards of the task, each a link to play it. */
  _boards() {
    const list = element("ul", { class: "checks" });
    for (const { name, pegs, notRun } of this.task.boards) {
      const item = element("li", {}, pegs == null ? name : boardLink(name));
      if (notRun) item.append(element("span", { class: "soft" }, ` (${notRun})`));
      list.append(item);
    }
    const title = this.task.boards.some(({ pegs }) => pegs != null) ? "Its boards, to play" : "Its checks";
    return element("div", { class: "before" }, element("h3", {}, title), list);
  }
}

function boardLink(name) {
  return element("a", { href: `play.html#${encodeURI(name)}` }, name);
}

function column(cell, title) {
  if (NUMBERS.includes(title)) cell.classList.add("number");
  if (SPARE.includes(title)) cell.classList.add("spare");
  if (title === "states") cell.classList.add("states");
  return cell;
}
