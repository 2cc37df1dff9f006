// @ts-check

/* What is folded on a page that is a file: a link unfolds what it leads to, and printing unfolds everything. */

/** Unfold an element and whatever it is in. */
export function unfold(/** @type {Element | null} */ target) {
  for (let at = target; at; at = at.parentElement) {
    if (at instanceof HTMLDetailsElement) at.open = true;
  }
}

const unfoldTarget = () => unfold(document.getElementById(location.hash.slice(1)));
addEventListener("hashchange", unfoldTarget);
document.addEventListener("click", (event) => { // also if it was followed before, and folded again
  const link = event.target instanceof Element && event.target.closest('a[href^="#"]');
  if (link) unfold(document.getElementById(link.getAttribute("href")?.slice(1) ?? ""));
});
unfoldTarget();

/** @type {HTMLDetailsElement[]} */
let unfolded = [];
addEventListener("beforeprint", () => {
  unfolded = [...document.querySelectorAll("details")].filter((each) => !each.open);
  for (const details of unfolded) details.open = true;
});
addEventListener("afterprint", () => {
  for (const details of unfolded) details.open = false;
});
