/* Keep the site in the browser, so that it works without a network. */

const KEPT = "The page now works without a network, too.";
const NEWER = "There is a newer version of this page: close all its tabs, then open it again.";

/** Register the service worker of the version that is on the server; `onKept` is told in words what is kept. */
export async function keepOffline(onKept) {
  if (!("serviceWorker" in navigator)) return; // an address without https, or a private window
  try {
    const { version } = await (await fetch("files.json", { cache: "no-cache" })).json();
    const registration = await navigator.serviceWorker.register(`sw.js?version=${version}`);
    const look = () => onKept(registration.waiting ? NEWER : registration.active ? KEPT : "");
    registration.installing?.addEventListener("statechange", look);
    look();
  } catch (error) {
    console.info(`nothing is kept for use without a network: ${error.message}`);
  }
}
