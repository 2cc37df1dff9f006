// @ts-check

/* The student's programs, as this browser keeps them, which workers run: a question at a time. */

import { Grading } from "./grading.js";
import { Files } from "./storage.js";
import { Clock, loadedOf } from "./web/progress.js";

export class Programs {
  constructor(files) {
    this.files = files;
    this.grading = null; // Python is loaded once something is asked
    this.before = Promise.resolve(null);
  }

  /**
   * Ask for what is said of a task's program, of a kind of grader/site/browser/answers.py.
   *
   * @returns {import("./web/progress.js").Asked}
   */
  ask(kind, task, about, say = (words) => {}) {
    const run = new AbortController();
    const tell = (words) => run.signal.aborted || say(words);
    const failed = ({ message }) => ({ state: "failed", message, help: "reload the page" });
    const job = () => ({ files: this.files.texts, task, ...about });
    this.before = this.before.then(() => this._answer(kind, job(), tell, run)).catch(failed);
    const cancel = async () => {
      run.abort();
      return `${task}: cancelled`;
    };
    return { answer: this.before, cancel };
  }

  async _answer(kind, job, tell, run) {
    this.grading ??= new Grading((had, all) => tell(had < all ? loadedOf(had, all) : "Starting Python…"), job.contracts);
    await this.grading.ready;
    const clock = new Clock(tell, kind === "film" ? "recording" : "running");
    const begun = performance.now();
    try {
      const said = await this.grading.run(kind, job, ({ question }) => clock.start(job.task, question), run);
      const seconds = (performance.now() - begun) / 1000;
      return said && { state: said.refused ? "failed" : "done", seconds, ...said, ...said.refused };
    } finally {
      clock.stop();
    }
  }
}

/** Return what answers hints, as web/hints.js takes it, with its `helpers`. */
export async function openHelpers({ tasks, helpers, unwritten }) {
  let show = (found) => {};
  const files = await Files.open(tasks, { onTrouble() {}, onOther: () => show(ready()) });
  const programs = new Programs(files);
  const isStub = new RegExp(unwritten, "m");
  const fileOf = ({ who }) => files.text(tasks.find(({ name }) => name === who).file);
  const ready = () => helpers.map((helper) => ({ ...helper, ready: !isStub.test(fileOf(helper)) }));
  return {
    helpers: ready(),
    ask: (who, cells, say) => programs.ask("hint", who, { cells, contracts: false }, say),
    follow: (onHelpers) => (show = onHelpers),
  };
}
