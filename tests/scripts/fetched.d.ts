// What the site fetches with npm is not there when its scripts are checked.

declare module "*/libraries.js";
declare module "*/pyodide.mjs";
