// @ts-check

/* The dialog for the student's files: download, open, reset, and the copies of what was replaced. */

import { byId, element, onPress } from "./web/page.js";
import { pack, unpack } from "./zip.js";

export class FilesDialog {
  /**
   * @param files the Files of storage.js.
   * @param onReplaced called with (name, text) when a file has another text.
   */
  constructor(files, onReplaced) {
    this.files = files;
    this.onReplaced = onReplaced;
    this.dialog = byId("files");
    onPress(byId("files-close"), () => this.dialog.close());
    onPress(byId("download"), () => this._download());
    onPress(byId("reset"), () => this._ask(true));
    onPress(byId("reset-no"), () => this._ask(false));
    onPress(byId("reset-yes"), () => this._reset());
    byId("open").addEventListener("change", () => this._open());
  }

  /** Open the dialog; `name` is the file that can be reset. */
  async show(name) {
    this.name = name;
    byId("reset").textContent = `Reset ${name} to its stub`;
    byId("reset-question").textContent = `Replace ${name} by its stub? What you wrote is kept as a copy below.`;
    this._say("");
    this._ask(false);
    await this._showCopies();
    this.dialog.showModal();
  }

  _say(words) {
    byId("files-said").textContent = words;
  }

  _ask(asking) {
    byId("reset-row").hidden = !asking;
    if (asking) byId("reset-no").focus();
  }

  async _reset() {
    const stub = this.files.stubs[this.name];
    await this._replace({ [this.name]: stub }, "before it was reset");
    this._ask(false);
    byId("reset").focus();
    this._say(`${this.name} is its stub again.`);
  }

  _download() {
    offer(pack(this.files.texts), "peg-solitaire.zip");
    this._say(`Downloaded ${this.files.names.join(", ")} as peg-solitaire.zip: this is what you hand in.`);
  }

  async _open() {
    const [file] = byId("open").files;
    if (!file) return;
    const { texts, leftOut } = await unpack(file, this.files.names);
    byId("open").value = ""; // so that the same file can be chosen again
    await this._replace(texts, `before ${file.name} was opened`);
    const opened = Object.keys(texts);
    const taken = opened.length > 0 ? `Opened ${opened.join(", ")}.` : "Nothing was opened: your files are as they were.";
    const rest = leftOut.length > 0 ? ` Left out: ${leftOut.join("; ")}.` : "";
    this._say(taken + rest);
  }

  async _replace(texts, why) {
    for (const [name, text] of Object.entries(texts)) {
      await this.files.replace(name, text, why);
      this.onReplaced(name, text);
    }
    await this._showCopies();
  }

  async _showCopies() {
    const copies = await this.files.copies();
    byId("no-copies").hidden = copies.length > 0;
    byId("copies").replaceChildren(...copies.map((copy) => this._copy(copy)));
  }

  _copy({ name, text, when, why }) {
    const time = new Date(when).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
    const label = `${name}, ${time}, ${why}`;
    const download = element("button", { type: "button", class: "small", "aria-label": `Download ${label}` }, "Download");
    onPress(download, () => offer(new Blob([text], { type: "text/x-python" }), name));
    const back = element("button", { type: "button", class: "small", "aria-label": `Put back ${label}` }, "Put back");
    onPress(back, async () => {
      await this._replace({ [name]: text }, "before a copy was put back");
      this._say(`${name} is again as it was, ${why}.`);
    });
    return element("li", {}, element("span", {}, `${name} `, element("span", { class: "soft" }, `${time}, ${why}`)), download, back);
  }
}

/** Let the browser download something. */
function offer(blob, name) {
  const address = URL.createObjectURL(blob);
  element("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
