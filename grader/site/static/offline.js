// @ts-check

/*
 * Keep the site in the browser, so that it works without a network. On a page that loads Python this comes after it.
 */

const KEPT = "The page now works without a network, too.";
const NEWER = "There is a newer version of this page: close all its tabs, then open it again.";

/**
 * Register the service worker of the version that is on the server.
 *
 * @param {{ kept: (words: string) => void, newer: (words: string) => void }} say shows in words what is kept, or
 *   that there is a newer version.
 */
export async function keepOffline(say = { kept: () => {}, newer: () => {} }) {
  if (!("serviceWorker" in navigator)) return; // an address without https, or a private window
  try {
    const { version } = await (await fetch("files.json", { cache: "no-cache" })).json();
    const registration = await navigator.serviceWorker.register(`sw.js?version=${version}`);
    const coming = registration.installing;
    const look = () => {
      say.newer(registration.waiting ? NEWER : "");
      say.kept(registration.active ? KEPT : "");
    };
    coming?.addEventListener("statechange", look);
    look();
  } catch (error) {
    console.info(`nothing is kept for use without a network: ${error.message}`);
  }
}
