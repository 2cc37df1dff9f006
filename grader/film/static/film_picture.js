// @ts-check

/*
 * The picture of a film: the calls from left to right, a row for each number of pegs. A board is a bar as long as its
 * search: all that was called from it stands below it. Where bars are narrower than a pixel, a column of pixels shows
 * the shares of what became of its boards. So a picture takes a few milliseconds, however many nodes there are.
 */

import { KINDS } from "./film_data.js";

const ROOM = { left: 34, bottom: 20, top: 6 }; // for the scales, in CSS pixels
const NARROW = 1.5; // pixels; narrower bars are drawn as shares
const MOST_PLACES = 4000; // marked at once

export class Picture {
  constructor(canvas, film, view) {
    this.canvas = canvas;
    this.film = film;
    this.view = view;
    this.mark(null);
    this.rows = rowsOf(film);
    this.context = canvas.getContext("2d");
    this.resize();
  }

  /**
   * Mark a node, the nodes on the way to it, and other places; dim what comes after `until`, if it is not null.
   *
   * @param {number | null} selected
   */
  mark(selected, { path = [], places = [], until = null } = {}) {
    this.selected = selected;
    this.path = path;
    this.places = places;
    this.until = until;
  }

  /** Fit the drawing to the canvas as it is now on the page. */
  resize() {
    const { width, height } = this.canvas.getBoundingClientRect();
    this.scale = Math.min(2, devicePixelRatio || 1);
    this.width = Math.max(1, Math.round((width - ROOM.left) * this.scale));
    this.height = Math.max(1, Math.round((height - ROOM.bottom - ROOM.top) * this.scale));
    this.canvas.width = this.width + Math.round(ROOM.left * this.scale);
    this.canvas.height = this.height + Math.round((ROOM.bottom + ROOM.top) * this.scale);
    this.image = this.context.createImageData(this.width, this.height);
    this.pixels = new Uint32Array(this.image.data.buffer);
    this.theme = themeOf(this.canvas);
  }

  /** Return the node drawn at a place on the page; null if there is none. */
  nodeAt(clientX, clientY) {
    const box = this.canvas.getBoundingClientRect();
    const row = this.rows[Math.floor(((clientY - box.top - ROOM.top) * this.scale) / this._rowHeight)];
    if (row === undefined) return null;
    const call = this.callAt(clientX);
    const index = lowerBound(row.starts, call, true) - 1;
    const near = [index, index + 1].filter((each) => each >= 0 && each < row.starts.length);
    const reach = (3 * (this.view.to - this.view.from)) / this.width;
    const hit = near.find((each) => call >= row.starts[each] - reach && call < row.ends[each] + reach);
    return hit === undefined ? null : row.starts[hit];
  }

  /** Return the call drawn at a place on the page, with its fraction. */
  callAt(clientX) {
    const box = this.canvas.getBoundingClientRect();
    const share = ((clientX - box.left - ROOM.left) * this.scale) / this.width;
    return this.view.from + share * (this.view.to - this.view.from);
  }

  get _rowHeight() {
    return this.height / this.rows.length;
  }

  _x(call) {
    return ((call - this.view.from) / (this.view.to - this.view.from)) * this.width;
  }

  draw() {
    this.pixels.fill(this.theme.paper);
    this.rows.forEach((row, number) => this._drawRow(row, number));
    const { context, scale } = this;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.fillStyle = this.theme.paperText;
    context.fillRect(0, 0, this.canvas.width, this.canvas.height);
    context.putImageData(this.image, ROOM.left * scale, ROOM.top * scale);
    context.setTransform(scale, 0, 0, scale, 0, 0);
    this._drawScales();
    this._drawMarks();
  }

  // ---- bars --------------------------------------------------------------------------------------

  _drawRow(row, number) {
    const top = Math.round(number * this._rowHeight);
    const bottom = Math.max(top + 1, Math.round((number + 1) * this._rowHeight) - 1);
    this._fill(0, this.width, bottom, bottom + 1, this.theme.line, this.theme.line);
    const { starts, ends } = row;
    let index = Math.max(0, lowerBound(starts, this.view.from) - 1);
    while (index < starts.length && starts[index] < this.view.to) {
      const left = this._x(starts[index]);
      const right = this._x(ends[index]);
      if (right - left >= NARROW) {
        const gap = right - left >= 5 ? 1 : 0;
        this._bar(left, right - gap, top, bottom, row.kinds[index]);
        index += 1;
        continue;
      }
      const pixel = Math.max(0, Math.floor(left));
      const next = this.view.from + ((pixel + 1) / this.width) * (this.view.to - this.view.from);
      const end = Math.max(index + 1, lowerBound(starts, next, false, index + 1));
      this._shares(pixel, top, bottom, row, index, end);
      index = end;
    }
  }

  /** Draw a bar; a board that was found in the table was not searched: its bar is half as high. */
  _bar(left, right, top, bottom, kind) {
    const low = kind === 2 ? Math.round((top + bottom) / 2) : top;
    const from = Math.max(0, Math.round(left));
    const to = Math.min(this.width, Math.max(Math.round(left) + 1, Math.round(right)));
    this._fill(from, to, low, bottom, this.theme.kinds[kind], this.theme.stripes[kind]);
  }

  /** Draw the shares of what became of some boards as one column of pixels. */
  _shares(pixel, top, bottom, row, begin, end) {
    const high = bottom - top;
    let at = bottom;
    for (const kind of [3, 0, 1, 2]) {
      const number = row.sums[kind][end] - row.sums[kind][begin];
      if (number === 0) continue;
      const room = Math.max(1, Math.round((high * number) / (end - begin)));
      const from = Math.max(top, at - room);
      this._fill(pixel, Math.min(this.width, pixel + 1), from, at, this.theme.kinds[kind], this.theme.stripes[kind]);
      at = from;
    }
  }

  _fill(left, right, top, bottom, colour, stripe) {
    for (let y = top; y < bottom; y += 1) {
      const line = y * this.width;
      if (colour === stripe) {
        this.pixels.fill(colour, line + left, line + right);
      } else {
        for (let x = left; x < right; x += 1) this.pixels[line + x] = (x + y) % 6 < 2 ? stripe : colour;
      }
    }
  }

  // ---- scales and marks --------------------------------------------------------------------------

  _drawScales() {
    const { context } = this;
    const rowHeight = this._rowHeight / this.scale;
    context.font = "12px system-ui, sans-serif";
    context.fillStyle = this.theme.soft;
    context.textAlign = "right";
    context.textBaseline = "middle";
    const each = Math.ceil(13 / rowHeight);
    this.rows.forEach((row, number) => {
      if (number % each === 0) context.fillText(`${row.pegs}`, ROOM.left - 6, ROOM.top + (number + 0.5) * rowHeight);
    });
    context.textBaseline = "top";
    const step = tickStep((this.view.to - this.view.from) / 8);
    const below = ROOM.top + this.height / this.scale + 3;
    for (let call = Math.ceil(this.view.from / step) * step; call <= this.view.to; call += step) {
      const x = ROOM.left + this._x(call) / this.scale;
      const end = this.canvas.width / this.scale;
      const text = call.toLocaleString("en");
      const half = context.measureText(text).width / 2;
      context.textAlign = x + half > end ? "right" : "center";
      context.fillText(text, Math.min(x, end), below);
    }
  }

  _drawMarks() {
    const { context, scale } = this;
    const width = this.width / scale;
    const clip = () => {
      context.save();
      context.beginPath();
      context.rect(ROOM.left, 0, width, this.canvas.height / scale);
      context.clip();
    };
    clip();
    if (this.until !== null) {
      const x = Math.max(0, this._x(this.until + 1) / scale);
      context.globalAlpha = 0.78;
      context.fillStyle = this.theme.paperText;
      context.fillRect(ROOM.left + x, 0, width, ROOM.top + this.height / scale);
      context.globalAlpha = 1;
    }
    context.strokeStyle = this.theme.focus;
    context.fillStyle = this.theme.focus;
    for (const node of this.places.slice(0, MOST_PLACES)) {
      const { x, y, high } = this._box(node);
      context.beginPath();
      context.moveTo(x, y + high + 5);
      context.lineTo(x - 3, y + high + 10);
      context.lineTo(x + 3, y + high + 10);
      context.fill();
    }
    context.lineWidth = 1;
    for (const node of this.path) this._outline(node, 0.5);
    if (this.selected !== null) {
      context.lineWidth = 3;
      this._outline(this.selected, 0);
    }
    context.restore();
  }

  _outline(node, inset) {
    const { x, y, wide, high } = this._box(node);
    this.context.strokeRect(x + inset, y + inset, Math.max(3, wide - 2 * inset), high - 2 * inset);
  }

  /** Return where a node is drawn, in CSS pixels. */
  _box(node) {
    const high = this._rowHeight / this.scale;
    const x = ROOM.left + this._x(node) / this.scale;
    const wide = ROOM.left + this._x(this.film.ends[node]) / this.scale - x;
    return { x, y: ROOM.top + (this.film.most - this.film.pegs[node]) * high, wide, high };
  }
}

/** Return the rows of a picture, one for each number of pegs: its nodes in order, and how many there were of each kind. */
function rowsOf(film) {
  const sizes = new Uint32Array(film.most + 1);
  for (let node = 0; node < film.count; node += 1) sizes[film.pegs[node]] += 1;
  const rows = [];
  for (let pegs = film.most; pegs >= film.fewest; pegs -= 1) {
    const size = sizes[pegs];
    const sums = KINDS.map(() => new Uint32Array(size + 1));
    rows.push({ pegs, starts: new Float64Array(size), ends: new Float64Array(size), kinds: new Uint8Array(size), sums, filled: 0 });
  }
  for (let node = 0; node < film.count; node += 1) {
    const row = rows[film.most - film.pegs[node]];
    const at = row.filled;
    row.starts[at] = node;
    row.ends[at] = film.ends[node];
    row.kinds[at] = film.kind(node);
    for (let kind = 0; kind < KINDS.length; kind += 1) row.sums[kind][at + 1] = row.sums[kind][at] + (kind === row.kinds[at]);
    row.filled += 1;
  }
  return rows;
}

/** Return the first index whose value is at least `value`, or with `above`, larger. */
function lowerBound(values, value, above = false, from = 0) {
  let low = from;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle] < value || (above && values[middle] === value)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Return a round number that is not below `least`. */
function tickStep(least) {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, least)));
  return [1, 2, 5, 10].map((each) => each * power).find((each) => each >= least) ?? 10 * power;
}

/** Return the colours of the style sheet, as pixels and as texts. */
function themeOf(canvas) {
  const style = getComputedStyle(canvas);
  const text = (name) => style.getPropertyValue(`--${name}`).trim();
  const kinds = KINDS.map((kind) => pixel(text(`film-${kind}`)));
  const stripes = KINDS.map((kind) => pixel(text(`film-${kind}-stripe`) || text(`film-${kind}`)));
  return {
    kinds, stripes, paper: pixel(text("card")), line: pixel(text("film-line")),
    paperText: text("card"), soft: text("soft"), focus: text("focus"),
  };
}

/** Return a colour such as #1f5f99 as a pixel of an image. */
function pixel(colour) {
  const [red, green, blue] = [1, 3, 5].map((place) => parseInt(colour.slice(place, place + 2), 16));
  return ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
}
