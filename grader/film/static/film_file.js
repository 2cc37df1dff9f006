// @ts-check

/* The page of films that is a file: it has the films in itself. */

import { showFilms } from "./film.js";

const films = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("[data-film]")]);
const compared = /** @type {HTMLElement} */ (document.querySelector("main")).dataset.compared;
const page = showFilms(films.map(({ dataset }) => JSON.parse(dataset.film)), compared);
Object.assign(globalThis, { page }); // for whoever looks into the page, as its tests do
