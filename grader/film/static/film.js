// @ts-check

/* Films on a page: what they prove, their pictures and numbers; a board is chosen by mouse or keys, zoomed and played. */

import { element } from "../web/elements.js";
import { Film } from "./film_data.js";
import { Panel } from "./film_panel.js";
import { Picture } from "./film_picture.js";
import { View } from "./film_view.js";

const PLAY_S = 20; // a whole film; a small one is played slower
const SLOWEST_MS = 350; // a board

/**
 * Show films below each other, on one scale, in a page that has the elements of film_frame.html.
 *
 * @param films as grader/film/shown.py makes them: {name, words, numbers, ...}.
 * @param compared how they compare, as a sentence.
 */
export function showFilms(films, compared = "") {
  const part = (name) => /** @type {HTMLElement} */ (document.querySelector(`#film .${name}`));
  part("compared").replaceChildren(element("strong", {}, compared));
  part("compared").hidden = compared === "";
  part("proved").replaceChildren(...films.filter(({ words }) => words.length > 0).map((film) => proofs(film, films.length > 1)));
  const canvases = films.map(({ name }, index) =>
    element("canvas", { tabindex: "0", role: "application", "aria-labelledby": `film-${index}`, "aria-describedby": "film-keys" }, name));
  const headings = films.map(({ name }, index) => element("h2", { class: "film-name", id: `film-${index}` }, name));
  part("pictures").replaceChildren(...canvases.flatMap((canvas, index) => [headings[index], canvas]));
  part("films").classList.toggle("two", films.length > 1);
  part("in-time").textContent = films[0].by_calls ? "calls" : "boards";
  part("numbers").replaceChildren(...numbers(films));
  /** @type {HTMLElement} */ (document.querySelector("#film")).hidden = false; // now canvases have a size
  return new Page(canvases, films.map((data) => new Film(data)));
}

/** Return what a film proves, as a list. */
function proofs({ name, words }, isOneOfTwo) {
  const lines = words.map((line) => element("li", {}, isOneOfTwo ? `${name}: ${line}` : line));
  return element("ul", { class: "proves", "aria-label": `What the film of ${name} proves` }, ...lines);
}

/** Return what is counted in films, as the parts of a table. */
function numbers(films) {
  const heads = films.map(({ name }) => element("th", { scope: "col", class: "right" }, name));
  const titles = new Set(films.flatMap((film) => film.numbers.map(([title]) => title)));
  const rows = [...titles].map((title) => {
    const found = films.map((film) => film.numbers.find(([each]) => each === title)?.[1]);
    const cells = found.map((number) => element("td", { class: "right" }, number?.toLocaleString("en") ?? "-"));
    return element("tr", {}, element("th", { scope: "row" }, title), ...cells);
  });
  const head = element("tr", {}, element("th", { scope: "col" }, "in numbers"), ...heads);
  return [element("thead", {}, head), element("tbody", {}, ...rows)];
}

class Page {
  constructor(canvases, films) {
    this.view = new View(Math.max(4, ...films.map((film) => film.count)));
    this.pictures = canvases.map((canvas, index) => new Picture(canvas, films[index], this.view));
    this.panel = new Panel(document.querySelector("#film .panel"), (node) => this.select(node));
    this.scrub = /** @type {HTMLInputElement} */ (document.querySelector("#when"));
    this.playButton = document.querySelector("#play");
    this.active = this.pictures[0];
    this.playing = null;
    this.frame = null;
    this.view.changed = () => this._later();
    for (const picture of this.pictures) this._listen(picture);
    this._controls();
    this._activate(this.active);
    this.select(0);
  }

  /** Choose a node of the active film. */
  select(node, { playing = false } = {}) {
    if (!playing) this._stop();
    this.node = node;
    const { path, same } = this.panel.show(this.active.film, node);
    for (const picture of this.pictures) picture.mark(null);
    this.active.mark(node, { path: path.slice(0, -1), places: same.length > 1 ? same : [], until: playing ? node : null });
    this.scrub.value = `${node}`;
    this.scrub.setAttribute("aria-valuetext", `${node + 1} of ${this.active.film.count}`);
    this._keepInView(node);
    this._later();
  }

  _activate(picture) {
    this.active = picture;
    this.scrub.max = `${picture.film.count - 1}`;
    document.querySelector("#of-film").textContent = this.pictures.length > 1 ? picture.film.name : "";
  }

  _keepInView(node) {
    const { from, to } = this.view;
    if (node < from || node >= to) this.view.show(node - (to - from) / 2, node + (to - from) / 2);
  }

  /** Draw everything before the next frame, once. */
  _later() {
    if (this.frame !== null) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = null;
      for (const picture of this.pictures) picture.draw();
    });
  }

  // ---- play --------------------------------------------------------------------------------------

  _toggle() {
    if (this.playing !== null) {
      this._stop();
      return;
    }
    const { count } = this.active.film;
    if (this.node >= count - 1) this.select(0);
    const each = Math.min(SLOWEST_MS, (1000 * PLAY_S) / count);
    const begun = performance.now() - this.node * each;
    this.playButton.textContent = "Pause";
    const step = (now) => {
      const node = Math.min(count - 1, Math.floor((now - begun) / each));
      if (node > this.node) this.select(node, { playing: true });
      if (node < count - 1) this.playing = requestAnimationFrame(step);
      else this._stop();
    };
    this.playing = requestAnimationFrame(step);
  }

  _stop() {
    if (this.playing === null) return;
    cancelAnimationFrame(this.playing);
    this.playing = null;
    this.playButton.textContent = "Play";
    this._later();
  }

  // ---- mouse and keys ----------------------------------------------------------------------------

  _listen(picture) {
    const { canvas } = picture;
    let down = null;
    canvas.addEventListener("pointerdown", (event) => {
      down = { x: event.clientX, from: this.view.from, moved: false };
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointermove", (event) => {
      if (down === null || (!down.moved && Math.abs(event.clientX - down.x) < 4)) return;
      down.moved = true;
      const calls = (picture.callAt(down.x) - picture.callAt(event.clientX));
      const width = this.view.to - this.view.from;
      this.view.show(down.from + calls, down.from + calls + width);
    });
    canvas.addEventListener("pointerup", (event) => {
      const node = down === null || down.moved ? null : picture.nodeAt(event.clientX, event.clientY);
      down = null;
      if (node === null) return;
      this._activate(picture);
      this.select(node);
    });
    canvas.addEventListener("pointercancel", () => {
      down = null;
    });
    canvas.addEventListener("dblclick", () => this._zoomTo(this.node));
    canvas.addEventListener(
      "wheel",
      (event) => {
        event.preventDefault();
        if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
          this.view.pan(((this.view.to - this.view.from) * event.deltaX) / picture.width);
        } else {
          this.view.zoom(Math.exp(-Math.max(-200, Math.min(200, event.deltaY)) / 300), picture.callAt(event.clientX));
        }
      },
      { passive: false },
    );
    canvas.addEventListener("keydown", (event) => {
      if (event.altKey || event.ctrlKey || event.metaKey) return;
      if (this.active !== picture) {
        this._activate(picture);
        this.select(Math.min(this.node, picture.film.count - 1));
      }
      if (this._key(event.key)) event.preventDefault();
    });
  }

  /** Do what a key is for; return whether it is for anything. */
  _key(key) {
    const { film } = this.active;
    const { node } = this;
    const nodes = {
      ArrowUp: () => Math.max(0, film.parents[node]),
      ArrowDown: () => film.children(node)[0] ?? node,
      ArrowLeft: () => film.sibling(node, -1),
      ArrowRight: () => film.sibling(node, 1),
      ",": () => Math.max(0, node - 1),
      ".": () => Math.min(film.count - 1, node + 1),
      s: () => film.same(node).find((each) => each > node) ?? film.same(node)[0],
      Home: () => 0,
      End: () => film.count - 1,
    };
    const views = {
      "+": () => this.view.zoom(1.5, this._centre()),
      "=": () => this.view.zoom(1.5, this._centre()),
      "-": () => this.view.zoom(1 / 1.5, this._centre()),
      0: () => this.view.show(0, this.view.most),
      Enter: () => this._zoomTo(node),
      PageUp: () => this.view.pan(-(this.view.to - this.view.from) / 2),
      PageDown: () => this.view.pan((this.view.to - this.view.from) / 2),
      " ": () => this._toggle(),
      "?": () => document.querySelector("details.keys").toggleAttribute("open"),
    };
    if (key in nodes) this.select(nodes[key]());
    else if (key in views) views[key]();
    else return false;
    return true;
  }

  _centre() {
    const { from, to } = this.view;
    return this.node >= from && this.node < to ? this.node : (from + to) / 2;
  }

  /** Zoom to the search of a board. */
  _zoomTo(node) {
    const width = this.active.film.ends[node] - node;
    this.view.show(node - width * 0.05, node + width * 1.05);
  }

  _controls() {
    const click = (id, act) => document.querySelector(id).addEventListener("click", act);
    click("#play", () => this._toggle());
    click("#in", () => this.view.zoom(2, this._centre()));
    click("#out", () => this.view.zoom(0.5, this._centre()));
    click("#all", () => this.view.show(0, this.view.most));
    this.scrub.addEventListener("input", () => {
      this._stop();
      this.select(Number(this.scrub.value), { playing: true });
    });
    const fit = () => {
      for (const picture of this.pictures) picture.resize();
      this._later();
    };
    new ResizeObserver(fit).observe(this.pictures[0].canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", fit);
  }
}
