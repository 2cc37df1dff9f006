// @ts-check

/* Which check is running, and for how long: apart from the state, since no screen reader should say each second. */

export class Clock {
  constructor(place) {
    this.place = place;
    this.limit = 0;
    this.since = 0;
    this.check = null;
  }

  /** Count the seconds of a question about a check; more questions about the same one go on where the last one was. */
  start(check, limit) {
    if (this.check === check && this.limit === limit) return;
    this.stop();
    Object.assign(this, { check, limit, since: performance.now() });
    this.timer = setInterval(() => this._show(), 250);
    this._show();
  }

  stop() {
    clearInterval(this.timer);
    this.check = null;
    this.place.textContent = "";
  }

  _show() {
    const seconds = Math.min(Math.floor((performance.now() - this.since) / 1000), this.limit);
    this.place.textContent = `${this.check}, ${seconds} s of ${Number(this.limit.toFixed(1))} s`;
  }
}

/** Return in words how much is loaded; both numbers are bytes. */
export function loadedOf(had, all) {
  return `${(had / 1e6).toFixed(1)} of ${(all / 1e6).toFixed(1)} MB of Python loaded`;
}
