// @ts-check

/* The part of the films that is drawn. */

/** What all pictures of a page show: the calls from `from` to `to`, of at most `most`. */
export class View {
  constructor(most) {
    this.most = most;
    this.from = 0;
    this.to = most;
    this.changed = () => {};
  }

  /** Show these calls, as far as there are so many. */
  show(from, to) {
    const width = Math.max(4, Math.min(this.most, to - from));
    this.from = Math.max(0, Math.min(from, this.most - width));
    this.to = this.from + width;
    this.changed();
  }

  /** Make bars `times` as wide, but keep the call at `centre` where it is. */
  zoom(times, centre) {
    const width = Math.max(4, (this.to - this.from) / times);
    this.show(centre - ((centre - this.from) / (this.to - this.from)) * width, centre + ((this.to - centre) / (this.to - this.from)) * width);
  }

  pan(calls) {
    this.show(this.from + calls, this.to + calls);
  }
}
