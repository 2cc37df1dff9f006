// @ts-check

/*
 * The handouts, in a part of the page: a link to a handout, or to a file of the framework, opens it there, wherever the
 * link is, and one from a board's name leads to where it is played.
 */

import { button } from "./web/card.js";
import { addressOf, element } from "./web/page.js";

const HANDOUT = /^handouts\/[\w-]+\.html$/;
const TO_READ = /^framework\/\w+\.py$/;

export class Handout {
  /**
   * @param parent an empty element.
   * @param boards what is known of the boards that can be played, by name.
   */
  constructor(parent, boards) {
    this.parent = parent;
    this.boards = boards;
    document.addEventListener("click", (event) => this._follow(event));
  }

  /** Show a task's handout by its path, such as handouts/peg1.html. */
  open(path) {
    this.home = path;
    return this._show(path);
  }

  async _show(path) {
    this.path = path;
    try {
      const response = await fetch(path);
      if (!response.ok) throw new Error(`status ${response.status}`);
      const text = await response.text();
      if (this.path !== path) return; // another one was asked for since
      if (TO_READ.test(path)) {
        this.parent.replaceChildren(element("h1", {}, path), element("pre", {}, element("code", { class: "language-python" }, text)));
      } else {
        this._fill(new DOMParser().parseFromString(text, "text/html"), response.url);
      }
    } catch (error) {
      this.parent.replaceChildren(element("p", { class: "fault" }, `The handout cannot be loaded: ${error.message}. Reload the page.`));
    }
    if (path !== this.home) this.parent.prepend(this._wayBack());
    this.parent.scrollTop = 0;
  }

  _wayBack() {
    return button("Back to the task", () => {
      this._show(this.home);
      this.parent.focus();
    });
  }

  _follow(event) {
    const link = event.target.closest("a[href]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const [path, part] = link.getAttribute("href").split("#");
    if (!HANDOUT.test(path) && !TO_READ.test(path)) return;
    event.preventDefault();
    this._show(path).then(() => part && this.parent.querySelector(`#${CSS.escape(decodeURIComponent(part))}`)?.scrollIntoView());
    this.parent.focus();
  }

  /** Show the main part of a handout's page; its links lead from here to where they lead from there. */
  _fill(page, address) {
    const home = new URL(".", location.href).href;
    for (const link of page.querySelectorAll("a[href]")) {
      const { href } = new URL(link.getAttribute("href"), address);
      link.setAttribute("href", href.startsWith(home) ? href.slice(home.length) : href);
      const [, beside] = /^(play|film|predict)\.html#/.exec(link.getAttribute("href")) ?? [];
      if (beside) link.setAttribute("target", beside);
    }
    this.parent.replaceChildren(...page.querySelector("main").childNodes);
    this._linkNames();
    for (const part of this.parent.querySelectorAll("[tabindex]")) {
      if (part.scrollWidth <= part.clientWidth) part.removeAttribute("tabindex");
    }
  }

  _linkNames() {
    for (const code of this.parent.querySelectorAll(":not(pre, a) > code")) {
      const name = code.textContent;
      const isBoard = Object.hasOwn(this.boards, name) && code.parentElement.matches("td"); // elsewhere it may be a variable
      if (!isBoard && !TO_READ.test(name)) continue;
      const link = element("a", isBoard ? { href: addressOf(name), target: "play" } : { href: name });
      code.replaceWith(link);
      link.append(code);
    }
  }
}
