// @ts-check

/* A film's data, unpacked: for each node, a board that the search came to, its parent, its end and its pegs. */

import { Position, cellBetween } from "../web/position.js";

export const KINDS = ["new", "again", "found", "solution"];
export const KIND_WORDS = [
  "searched for the first time",
  "searched again, though it was searched before",
  "known, and not searched",
  "on the way to the solution",
];
export const NOWHERE = -1;
const NO_JUMP = 255;
export const FALSE = 251; // returned values; smaller ones are numbers of pegs
export const TRUE = 252;

export class Film {
  /** Unpack a film from its data, see grader/film/shown.py. */
  constructor(data) {
    this.name = data.name;
    this.cells = data.cells;
    this.jumps = data.jumps;
    this.byCalls = data.by_calls;
    const bytes = Uint8Array.from(atob(data.nodes), (character) => character.charCodeAt(0));
    const count = bytes.length / 4;
    this.count = count;
    this.parents = new Int32Array(count);
    this.ends = new Int32Array(count).fill(count); // one past the last node of the search of each board
    this.low = new Uint32Array(count); // the position: bit 8 * row + column, in two halves
    this.high = new Uint32Array(count);
    this.pegs = new Uint8Array(count);
    this.bytes = bytes;
    this.stack = Uint8Array.from(atob(data.stack ?? ""), (character) => character.charCodeAt(0));
    this._masks = data.jumps.map(masks);
    this._start = halves(data.cells);
    this._follow(data.others);
    this.most = this._most();
    this.fewest = this._fewest();
  }

  kind(node) {
    return this.bytes[4 * node + 2] & 3;
  }

  isCall(node) {
    return (this.bytes[4 * node + 2] & 4) !== 0;
  }

  isAsked(node) {
    return (this.bytes[4 * node + 2] & 8) !== 0;
  }

  /** Return 0 if the table was not told of the board, 1 before its first jump was searched, 2 after. */
  told(node) {
    return (this.bytes[4 * node + 2] >> 4) & 3;
  }

  /** Return how many moves were on the stack when the search came to a node; null if there never was one. */
  onStack(node) {
    return this.stack.length === 0 ? null : this.stack[node] & 127;
  }

  /** Return whether these are the jumps that led there. */
  stackLeadsHere(node) {
    return (this.stack[node] & 128) !== 0;
  }

  value(node) {
    return this.bytes[4 * node + 3];
  }

  /** Return the jump that led to a node; null if none did. */
  jump(node) {
    const number = this.bytes[4 * node];
    return number === NO_JUMP ? null : this.jumps[number];
  }

  /** Return the board of a node. */
  position(node) {
    const has = (cell) => (cell < 32 ? this.low[node] >>> cell : this.high[node] >>> (cell - 32)) & 1;
    return new Position([...this.cells].map((cell, place) => (cell === "-" ? "-" : has(place) ? "*" : "o")).join(""));
  }

  children(node) {
    const found = [];
    for (let child = node + 1; child < this.ends[node]; child = this.ends[child]) found.push(child);
    return found;
  }

  /** Return the nodes from the first board to this one. */
  path(node) {
    const found = [];
    for (let each = node; each !== NOWHERE; each = this.parents[each]) found.unshift(each);
    return found;
  }

  /** Return all nodes with the board of this one. */
  same(node) {
    const found = [];
    for (let each = 0; each < this.count; each += 1) {
      if (this.low[each] === this.low[node] && this.high[each] === this.high[node]) found.push(each);
    }
    return found;
  }

  /** Return the node before or after this one with the same parent; itself if there is none. */
  sibling(node, by) {
    const parent = this.parents[node];
    const all = parent === NOWHERE ? this._roots() : this.children(parent);
    return all[all.indexOf(node) + by] ?? node;
  }

  _roots() {
    const found = [];
    for (let root = 0; root < this.count; root = this.ends[root]) found.push(root);
    return found;
  }

  _follow(others) {
    const open = [];
    let other = 0;
    for (let node = 0; node < this.count; node += 1) {
      for (let ended = this.bytes[4 * node + 1]; ended > 0 && open.length > 0; ended -= 1) this.ends[open.pop()] = node;
      const parent = open.length === 0 ? NOWHERE : open.at(-1);
      this.parents[node] = parent;
      const number = this.bytes[4 * node];
      if (number === NO_JUMP || parent === NOWHERE) {
        [this.low[node], this.high[node]] = others[other] ?? this._start;
        other += 1;
      } else {
        const [low, high] = this._masks[number] ?? [0, 0];
        this.low[node] = this.low[parent] ^ low;
        this.high[node] = this.high[parent] ^ high;
      }
      this.pegs[node] = ones(this.low[node]) + ones(this.high[node]);
      open.push(node);
    }
  }

  _most() {
    return this.pegs.reduce((most, pegs) => Math.max(most, pegs), 1);
  }

  _fewest() {
    return this.pegs.reduce((fewest, pegs) => Math.min(fewest, pegs), 64);
  }
}

/** Return the bits of the three cells of a jump, in two halves. */
function masks(jump) {
  const [row, col, rowEnd, colEnd] = jump;
  const found = [0, 0];
  for (const [down, right] of [[row, col], cellBetween(jump), [rowEnd, colEnd]]) {
    const cell = 8 * down + right;
    found[cell >> 5] |= 1 << (cell & 31);
  }
  return found.map((half) => half >>> 0);
}

/** Return the position of 64 cells, in two halves. */
function halves(cells) {
  const found = [0, 0];
  [...cells].forEach((cell, place) => {
    if (cell === "*") found[place >> 5] |= 1 << (place & 31);
  });
  return found.map((half) => half >>> 0);
}

/** Return how many bits of 32 are ones. */
function ones(bits) {
  let left = bits - ((bits >>> 1) & 0x55555555);
  left = (left & 0x33333333) + ((left >>> 2) & 0x33333333);
  return Math.imul((left + (left >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
