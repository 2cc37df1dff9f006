// @ts-check

// Grade in the browser: the judge in one worker, the student's program in another, which is ended at a limit.
// The judge cannot wait for a program. It stops at each question, and is asked again with the answer; see
// grader/site/browser/asking.py.

import { loadParts } from "./loading.js";

const MARGIN_S = 0.5; // in which a program that is out of time says where it is
const LATE_MS = 1000; // after which a program may not end: a worker is started that can take its worker's place

export class Grading {
  /** Start both workers, which `ready` waits for; `onProgress` is told how many bytes are loaded, of how many. */
  constructor(onProgress = (had, all) => {}, contracts = true) {
    const parts = loadParts(onProgress);
    this.judge = new Talk("judge-worker.js", parts);
    this.students = new Students(parts);
    this.running = null;
    this.ready = Promise.all([this.judge.ready, this.students.of(contracts).ready]);
  }

  /**
   * Grade one task; resolves with the report, also when it is stopped. `onQuestion` is told the rows so far, the check
   * that is running, "" while the causes of failures are looked for, and the question that the program is asked.
   */
  async grade({ files, task, contracts = true, boards = null, onQuestion = (said) => {} }) {
    const said = await this.run("run", { files, task, contracts, boards }, onQuestion);
    if (said?.refused) {
      return { stopped: false, task, rows: [], points: 0, maxPoints: 0, next: "", marks: [], causes: [], refused: said.refused };
    }
    return { stopped: said === null, ...(await this.judge.say({ report: true })).report };
  }

  /**
   * Have a program answer all that is asked for a job of a kind, as `started` in grader/site/browser/judge.py takes
   * it; resolves with what is said last, or {refused}; with null when `run` is aborted.
   */
  async run(kind, job, onQuestion = (said) => {}, run = new AbortController()) {
    const stopped = new Promise((resolve) => (run.signal.onabort = () => resolve(null)));
    this.running = run;
    try {
      let said = await this.judge.say({ kind, job });
      while (said.question) {
        onQuestion(said);
        const answer = await Promise.race([this.students.ask(said.question, run), stopped]);
        if (run.signal.aborted) {
          this.students.end();
          return null;
        }
        said = await this.judge.say({ answer });
      }
      return said;
    } finally {
      this.running = null;
    }
  }

  /** End the student's program; `grade` resolves with what there is. */
  stop() {
    this.running?.abort();
  }
}

/** A worker that answers each message with one; `more` is what it is told besides the parts of Python. */
class Talk {
  constructor(file, parts, more = {}) {
    this.worker = new Worker(new URL(file, import.meta.url), { type: "module" });
    this.ready = Promise.all([this.heard(), giveParts(this.worker, parts, more)]);
    this.ready.catch(() => {}); // told by whoever waits for it
  }

  heard() {
    return new Promise((resolve, reject) => {
      this.worker.onmessage = ({ data }) => (data.fault ? reject(new Error(data.fault)) : resolve(data));
      this.worker.onerror = (event) => reject(new Error(event.message || "a worker could not be started"));
    });
  }

  async say(message) {
    await this.ready;
    const answer = this.heard();
    this.worker.postMessage(message);
    return answer;
  }
}

/** Give a worker the parts of Python as they come. */
async function giveParts(worker, { first, course }, more) {
  worker.postMessage({ first: await first, ...more });
  worker.postMessage({ course: await course });
}

/** The workers for programs: one with contracts and one, once it is needed, without; each may have a spare. */
class Students {
  constructor(parts) {
    this.parts = parts;
    this.running = new Map();
    this.spares = new Map();
  }

  of(contracts, workers = this.running) {
    if (!workers.has(contracts)) workers.set(contracts, new Student(contracts, this.parts));
    return workers.get(contracts);
  }

  async ask(question, run) {
    const student = this.of(question.debug);
    await student.ready;
    if (run.signal.aborted) return null;
    const late = setTimeout(() => this.spare(question.debug), LATE_MS);
    const { outcome, over } = await student.ask(question);
    clearTimeout(late);
    if (over) this.replace(question.debug);
    return outcome;
  }

  /** Start a worker before it is needed, since that takes seconds; only one, since each takes memory. */
  spare(contracts) {
    return this.of(contracts, this.spares);
  }

  replace(contracts) {
    this.of(contracts).end();
    this.running.set(contracts, this.spare(contracts));
    this.spares.delete(contracts);
  }

  /** End those that are busy, and start others in their places. */
  end() {
    for (const [contracts, student] of [...this.running]) if (student.busy) this.replace(contracts);
  }
}

class Student extends Talk {
  constructor(contracts, parts) {
    super("student-worker.js", parts, { contracts });
    this.busy = false;
    this.timer = null;
  }

  /** End the worker; a question that it was asked is never answered. */
  end() {
    clearTimeout(this.timer);
    this.worker.terminate();
  }

  /** Return the outcome of a question, and whether the worker must be ended. */
  ask(question) {
    this.busy = true;
    return new Promise((resolve) => {
      const end = (outcome, over) => {
        clearTimeout(this.timer);
        this.busy = false;
        resolve({ outcome, over });
      };
      const nothing = { frame: "", peak_mib: 0, head: "", tail: "" };
      let limits = [question.prepare_s, "PREPARE_LIMIT"];
      const limit = () => {
        const [seconds, kind] = limits;
        clearTimeout(this.timer);
        this.timer = setTimeout(() => end({ ...nothing, end: kind, cpu_s: seconds }, true), (seconds + MARGIN_S) * 1000);
      };
      this.worker.onmessage = ({ data }) => {
        if (data.loaded) {
          limits = [question.cpu_s, "CPU_LIMIT"];
          limit();
        } else if (data.isWaiting) {
          clearTimeout(this.timer);
        } else if (data.isWaiting === false) {
          limit();
        } else if (data.outcome) {
          end(data.outcome, data.over);
        } else if (data.fault) {
          console.warn(data.fault);
          end({ ...nothing, end: "FAULT", cpu_s: 0, fault: data.fault }, true);
        }
      };
      this.worker.onerror = () => end({ ...nothing, end: "DIED", returncode: -11, cpu_s: 0 }, true);
      limit();
      this.worker.postMessage({ question });
    });
  }
}
