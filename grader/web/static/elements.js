// @ts-check

/* Find and make the elements of a page. */

/**
 * Return the element with an id.
 *
 * @returns {any} of the kind that the page's template has under this id
 */
export function byId(id) {
  return document.getElementById(id);
}

/** Return an HTML element. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}
