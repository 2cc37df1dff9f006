// @ts-check

/* What is known of one board of a film: the board itself, how the search came to it, and what it did there. */

import { BoardView } from "../web/board.js";
import { element } from "../web/elements.js";
import { counted, formatJump } from "../web/position.js";
import { FALSE, KIND_WORDS, TRUE } from "./film_data.js";

const MOST_LISTED = 200; // places, in a list

export class Panel {
  /** Show boards of films in a part of the page; `go(node)` is called for a node that is chosen here. */
  constructor(panel, go) {
    this.go = go;
    this.film = null;
    this.part = (name) => panel.querySelector(`.${name}`);
  }

  /** Show a node. */
  show(film, node) {
    if (this.film !== film) this._begin(film);
    const position = film.position(node);
    this.view.show(position);
    const jump = film.jump(node);
    this.view.point(jump === null ? [] : [{ jump, kind: "last" }]);
    this.part("which").textContent = `${film.byCalls ? "Call" : "Board"} ${(node + 1).toLocaleString("en")} of ${film.count.toLocaleString("en")}`;
    this.part("what").textContent = describe(film, node);
    this._list("tried", film.children(node), (child) => `${this._jump(child)}: ${shortly(film, child)}`);
    this.part("none-tried").hidden = film.children(node).length > 0;
    const path = film.path(node);
    this.part("path-title").textContent = `How the search came here: ${counted(path.length - 1, "jump")}`;
    this._list("path", path, (each) => (each === path[0] ? "the first board" : this._jump(each)), node);
    const same = film.same(node);
    this.part("same-title").textContent =
      same.length === 1 ? "The search came to this board once" : `The search came to this board ${same.length.toLocaleString("en")} times`;
    this._list("same", same, (each) => `${film.byCalls ? "call" : "board"} ${(each + 1).toLocaleString("en")}: ${shortly(film, each)}`, node);
    return { path, same };
  }

  _begin(film) {
    this.film = film;
    const svg = this.part("film-board");
    svg.replaceChildren();
    this.view = new BoardView(svg, film.position(0), { labels: true, least: [6, 3] });
  }

  _jump(node) {
    const jump = this.film.jump(node);
    return jump === null ? "another board" : formatJump(jump);
  }

  _list(name, nodes, text, current = null) {
    const items = nodes.slice(0, MOST_LISTED).map((node) => {
      const button = element("button", { type: "button", class: "small" }, text(node));
      if (node === current) button.setAttribute("aria-current", "true");
      button.addEventListener("click", () => {
        this.go(node);
        this.part("which").focus(); // the button itself is gone
      });
      return element("li", {}, button);
    });
    if (nodes.length > MOST_LISTED) {
      items.push(element("li", {}, `and ${(nodes.length - MOST_LISTED).toLocaleString("en")} more`));
    }
    this.part(name).replaceChildren(...items);
  }
}

/** Return what became of a node's board, in a few words. */
function shortly(film, node) {
  const kind = ["searched", "searched again", film.isAsked(node) ? "found in the table" : "known, not searched", "leads to the solution"][film.kind(node)];
  const value = returned(film, node);
  return value === "" ? kind : `${kind}, returned ${value}`;
}

/** Return what is known of a node, in sentences. */
function describe(film, node) {
  const value = returned(film, node);
  const told = ["", "The table was told of it before its search.", "The table was told of it after its search."][film.told(node)];
  return [
    `${counted(film.pegs[node], "peg")}.`,
    `${KIND_WORDS[film.kind(node)][0].toUpperCase()}${KIND_WORDS[film.kind(node)].slice(1)}.`,
    film.isCall(node) ? "" : "Known right after the jump, so that there was no call.",
    told,
    stacked(film, node),
    value === "" ? "" : `Returned ${value}.`,
  ]
    .filter((sentence) => sentence !== "")
    .join(" ");
}

/** Return what was on the stack when the search came to a node; empty if no call ever found a move there. */
function stacked(film, node) {
  const moves = film.onStack(node);
  if (moves === null) return "";
  if (film.stackLeadsHere(node)) return moves === 0 ? "" : `On the stack: ${counted(moves, "move")}, the jumps that led here.`;
  return moves === 0 ? "The stack is empty." : `On the stack: ${counted(moves, "move")}, which are not the jumps that led here.`;
}

/** Return what a search returned; empty if it did not return, or nothing that is known. */
function returned(film, node) {
  const value = film.value(node);
  if (value < FALSE) return `${value}`;
  return value === FALSE ? "False" : value === TRUE ? "True" : "";
}
