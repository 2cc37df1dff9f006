/* Keep the site in the browser, so that it works without a network; a new version is taken at the next visit. */

/** Register the service worker of the version that is on the server; `onKept` is called when all is kept. */
export async function keepOffline(onKept) {
  if (!("serviceWorker" in navigator)) return; // an address without https, or a private window
  try {
    const { version } = await (await fetch("files.json", { cache: "no-cache" })).json();
    await navigator.serviceWorker.register(`sw.js?version=${version}`);
    await navigator.serviceWorker.ready;
    onKept();
  } catch (error) {
    console.info(`nothing is kept for use without a network: ${error.message}`);
  }
}
