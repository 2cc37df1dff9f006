// @ts-check

/*
 * What the student typed: in memory, and in the browser's IndexedDB after each pause and before each run. A page that
 * is left cannot wait for that, so what is not saved yet goes to localStorage, and from there to the next page.
 *
 * Of several tabs, the last one that types wins; a text that would be written over unseen becomes a copy. Where
 * IndexedDB is refused or full, everything goes on in memory, and `onTrouble` says so.
 */

import { NAME, atOnce } from "./at-once.js";
import { openDB } from "./libraries.js";

const PAUSE_MS = 400;
const MOST_COPIES = 30;

function upgrade(database) {
  database.createObjectStore("files", { keyPath: "name" });
  database.createObjectStore("copies", { keyPath: "id", autoIncrement: true });
  database.createObjectStore("points", { keyPath: "task" });
}

/** The files of all tasks. */
export class Files {
  /**
   * Open what is kept.
   *
   * @param tasks as in course.json: `file`, and `stub`, its text before anything is written.
   * @param handlers `onTrouble(words)`: nothing can be kept ("": it can again); `onOther(name, text)`: another tab
   *     has typed; `onState(isSaved)`.
   */
  static async open(tasks, handlers) {
    const files = new Files(tasks, handlers);
    try {
      files._database = await openDB(NAME, 1, { upgrade, blocking: () => files._database.close() });
      await files._read();
    } catch (error) {
      files._trouble(error);
    }
    await files._takeLeft();
    files._listen();
    return files;
  }

  constructor(tasks, { onTrouble, onOther = (name, text) => {}, onState = (isSaved) => {} }) {
    this.onTrouble = onTrouble;
    this.onOther = onOther;
    this.onState = onState;
    this.stubs = Object.fromEntries(tasks.map(({ file, stub }) => [file, stub]));
    this.points = new Map(); // by task: {task, points, maxPoints, graded: the texts of its files}
    this._copies = []; // those that could not be kept on disk
    this._database = null;
    this._refused = null; // why there is none
    this._saving = Promise.resolve();
    this._files = new Map();
    for (const [name, text] of Object.entries(this.stubs)) {
      this._files.set(name, { text, saved: text, revision: 0 });
    }
  }

  get names() {
    return [...this._files.keys()];
  }

  text(name) {
    return this._files.get(name).text;
  }

  get texts() {
    return Object.fromEntries(this.names.map((name) => [name, this.text(name)]));
  }

  get isSaved() {
    return [...this._files.values()].every((file) => file.text === file.saved);
  }

  /** Take what was typed; it is saved after a pause. */
  type(name, text) {
    Object.assign(this._files.get(name), { text, typed: Date.now() });
    this.onState(this.isSaved);
    clearTimeout(this._pause);
    this._pause = setTimeout(() => this.save(), PAUSE_MS);
  }

  /** Put another text in a file's place, and keep the old one as a copy unless it was the stub. */
  async replace(name, text, why) {
    const old = this.text(name);
    if (old === text) return;
    if (old !== this.stubs[name]) await this._keepCopy({ name, text: old, when: Date.now(), why });
    this.type(name, text);
    await this.save();
  }

  /** Save all that is not saved yet. */
  save() {
    clearTimeout(this._pause);
    this._saving = this._saving.then(() => this._save());
    return this._saving;
  }

  /** Keep what is not saved yet without waiting, since the page may be left; return whether nothing can be lost. */
  leave() {
    let isKept = true;
    for (const [name, file] of this._files) {
      if (file.text === file.saved) continue;
      file.isLeft = atOnce.set(`left ${name}`, { text: file.text, typed: file.typed });
      isKept &&= file.isLeft;
    }
    this.save();
    return isKept;
  }

  /** Take what an earlier page was left with, unless another one has saved a newer text: then it is a copy. */
  async _takeLeft() {
    for (const [name, file] of this._files) {
      const left = atOnce.get(`left ${name}`);
      if (left === null) continue;
      if (left.typed > (file.when ?? 0)) {
        Object.assign(file, left, { isLeft: true });
      } else {
        if (left.text !== file.text) await this._keepCopy({ name, text: left.text, when: left.typed, why: "typed before the page was left" });
        atOnce.set(`left ${name}`, null);
      }
    }
    await this.save();
  }

  async _save() {
    for (const [name, file] of this._files) {
      if (file.text === file.saved) continue;
      const text = file.text;
      try {
        file.revision = await this._write(name, text, file.revision);
        file.saved = text;
        if (file.isLeft) file.isLeft = !atOnce.set(`left ${name}`, null);
        this._channel?.postMessage({ name });
        this._trouble(null);
      } catch (error) {
        this._trouble(error);
      }
    }
    this.onState(this.isSaved);
  }

  /** Write a file; where another tab has written since, keep that text as a copy. Return the new revision. */
  async _write(name, text, revision) {
    const transaction = this._kept.transaction(["files", "copies"], "readwrite");
    transaction.done.catch(() => {}); // it is awaited below, unless a request fails first
    const files = transaction.objectStore("files");
    const kept = await files.get(name);
    const next = Math.max(kept?.revision ?? 0, revision) + 1;
    const writes = [files.put({ name, text, revision: next, when: Date.now() }), transaction.done];
    if (kept && kept.revision !== revision && kept.text !== text) {
      const copy = { name, text: kept.text, when: kept.when, why: "typed in another tab" };
      writes.push(transaction.objectStore("copies").add(copy));
    }
    await Promise.all(writes);
    return next;
  }

  get _kept() {
    if (this._database === null) throw this._refused ?? new Error("no storage");
    return this._database;
  }

  /** Read what is kept; what was typed here and is not saved yet stays. Return the names of files with another text. */
  async _read() {
    const changed = [];
    const [kept, points] = await Promise.all([this._kept.getAll("files"), this._kept.getAll("points")]);
    for (const { name, text, revision, when } of kept) {
      const file = this._files.get(name);
      if (!file || file.text !== file.saved || file.revision >= revision) continue;
      if (file.text !== text) changed.push(name);
      Object.assign(file, { text, saved: text, revision, when });
    }
    for (const each of points) this.points.set(each.task, each);
    return changed;
  }

  /** Follow the other tabs; a tab in the background may have missed their messages. */
  _listen() {
    if (this._database === null) return;
    const again = async () => {
      try {
        for (const name of await this._read()) this.onOther(name, this.text(name));
      } catch (error) {
        this._trouble(error);
      }
    };
    if ("BroadcastChannel" in window) {
      this._channel = new BroadcastChannel(NAME);
      this._channel.onmessage = again;
    }
    document.addEventListener("visibilitychange", () => (document.hidden ? this.leave() : again()));
    addEventListener("pagehide", () => this.leave());
  }

  // ---- copies and points ---------------------------------------------------------------------------

  /** Return the copies, the newest first: [{name, text, when, why}]. */
  async copies() {
    let kept = [];
    try {
      kept = await this._kept.getAll("copies");
    } catch (error) {
      this._trouble(error);
    }
    return [...this._copies, ...kept].sort((one, other) => other.when - one.when);
  }

  async _keepCopy(copy) {
    try {
      await this._kept.add("copies", copy);
      const keys = await this._kept.getAllKeys("copies");
      for (const key of keys.slice(0, -MOST_COPIES)) await this._kept.delete("copies", key);
    } catch (error) {
      this._copies.push(copy);
      this._trouble(error);
    }
  }

  /** Return whether a task's points are those of other texts than its files have now. */
  isOld(task) {
    const { graded = {} } = this.points.get(task) ?? {};
    const names = Object.keys(graded);
    return this.points.has(task) && (names.length === 0 || names.some((name) => graded[name] !== this.text(name)));
  }

  /** Keep the points of a task, which its files had with the texts `graded`. */
  async setPoints(task, points, maxPoints, graded) {
    const given = { task, points, maxPoints, graded };
    this.points.set(task, given);
    try {
      await this._kept.put("points", given);
    } catch (error) {
      this._trouble(error);
    }
  }

  /** Say what is wrong with the storage, or null: nothing. */
  _trouble(error) {
    if (error === null) return this.onTrouble("");
    if (this._database === null) this._refused ??= error;
    const full = error.name === "QuotaExceededError";
    this.onTrouble(
      full
        ? "The browser's storage is full: what you type is in this tab only. Download your files before you close it, or make room."
        : "This browser does not let the page keep files: what you type is in this tab only. Download your files before you close it.",
    );
  }
}
