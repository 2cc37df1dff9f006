// Python in a worker: Pyodide, and the course's own modules out of python.zip.

import { loadPyodide } from "./pyodide/pyodide.mjs";

const PLACE = "/course";

const plainFetch = self.fetch.bind(self);

// Pyodide's one large file is stored compressed: few plain web servers compress what they send.
self.fetch = async (file, options) => {
  const url = String(file.url ?? file);
  if (!url.endsWith(".wasm")) {
    return plainFetch(file, options);
  }
  const answer = await plainFetch(`${url}.gz`);
  if (!answer.ok) {
    return answer;
  }
  const unpacked = answer.body.pipeThrough(new DecompressionStream("gzip"));
  return new Response(unpacked, { headers: { "Content-Type": "application/wasm" } });
};

/** Start Python; with `contracts` false as `python -O`, under which contracts and asserts are gone. */
export async function startPython(contracts) {
  const archive = fetch(new URL("python.zip", import.meta.url));
  const python = await loadPyodide({
    indexURL: new URL("pyodide/", import.meta.url).href,
    args: contracts ? [] : ["-O"],
    env: { HOME: "/home/student" },
  });
  const answer = await archive;
  if (!answer.ok) {
    throw new Error(`${answer.url}: ${answer.status} ${answer.statusText}`);
  }
  python.unpackArchive(await answer.arrayBuffer(), "zip", { extractDir: PLACE });
  python.runPython(`import sys; sys.path.insert(0, ${JSON.stringify(PLACE)})`);
  return python;
}
