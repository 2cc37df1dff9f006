/* The handouts, in a part of the page; a link to another handout opens it there, one from a board's name plays it. */

import { playAddress } from "./results.js";

const FOLDER = "handouts/";

export class Handout {
  /**
   * @param parent an empty element.
   * @param boards the names of the boards that can be played.
   */
  constructor(parent, boards) {
    this.parent = parent;
    this.boards = boards;
    parent.addEventListener("click", (event) => this._follow(event));
  }

  /** Show a task's handout by its path, such as handouts/peg1.html. */
  open(path) {
    this.home = path;
    return this._show(path);
  }

  async _show(path) {
    if (this.path === path) return;
    this.path = path;
    try {
      const response = await fetch(path);
      if (!response.ok) throw new Error(`status ${response.status}`);
      const text = await response.text();
      if (this.path !== path) return; // another one was asked for since
      this.parent.innerHTML = text;
      this._linkBoards();
    } catch (error) {
      this.path = null;
      this.parent.replaceChildren(element("p", { class: "fault" }, `The handout cannot be loaded: ${error.message}. Reload the page.`));
    }
    if (path !== this.home) this.parent.prepend(this._wayBack());
    this.parent.scrollTop = 0;
  }

  _wayBack() {
    const button = element("button", { type: "button", class: "small" }, "Back to the task");
    button.addEventListener("click", () => {
      this._show(this.home);
      this.parent.focus();
    });
    return button;
  }

  _follow(event) {
    const link = event.target.closest("a[href]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const href = link.getAttribute("href");
    if (href.startsWith("#")) {
      event.preventDefault();
      this._scrollTo(href.slice(1));
    } else if (/^(handouts\/)?[\w-]+\.html(#.*)?$/.test(href) && !href.startsWith("play.html")) {
      event.preventDefault();
      const [file, part] = href.replace(FOLDER, "").split("#");
      this._show(FOLDER + file).then(() => part && this._scrollTo(part));
      this.parent.focus();
    }
  }

  _linkBoards() {
    for (const code of this.parent.querySelectorAll("td > code")) {
      if (!this.boards.has(code.textContent)) continue;
      const link = element("a", { href: playAddress(code.textContent) });
      code.replaceWith(link);
      link.append(code);
    }
  }

  _scrollTo(id) {
    this.parent.querySelector(`#${CSS.escape(decodeURIComponent(id))}`)?.scrollIntoView();
  }
}
