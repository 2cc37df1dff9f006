// @ts-check

/* The box with a link to the position; it follows the game. */

import { byId, onPress } from "./page.js";

export class Share {
  constructor() {
    onPress(byId("share"), () => this.open());
  }

  async open() {
    const link = byId("link");
    byId("link-row").hidden = false;
    this.follow();
    link.select();
    let said = "Copy this link.";
    try {
      await navigator.clipboard.writeText(link.value);
      said = "Copied.";
    } catch {
      // the browser does not let pages copy: people can
    }
    byId("link-said").textContent = `${said} ${link.dataset.works}`;
  }

  /** Show the address as it is now, if the box is open. */
  follow() {
    if (byId("link-row").hidden || byId("link").value === location.href) return;
    byId("link").value = location.href;
    byId("link-said").textContent = "";
  }
}
