// @ts-check

// Load what Python needs, once for all workers, in the order in which it is needed: one after another, since the
// network is what takes time, and Python starts while the course is still on its way.

import { XzReadableStream } from "./libraries.js";

/**
 * Return promises of the parts: `first`, with which Python starts, and `course`, an archive of the course's modules.
 *
 * @param onProgress called with how many bytes are here, and of how many.
 */
export function loadParts(onProgress = (had, all) => {}) {
  const sizes = fetchWhole("sizes.json").then((answer) => answer.json());
  let had = 0;
  let before = sizes;
  const load = async (name, type) => {
    const turn = before;
    let isThere = () => {};
    before = new Promise((resolve) => (isThere = () => resolve(null)));
    const all = Object.values(await sizes).reduce((sum, size) => sum + size, 0);
    await turn;
    const answer = await fetchWhole(`pyodide/${name}.xz`);
    const count = new TransformStream({
      transform(chunk, controller) {
        onProgress((had += chunk.length), all);
        controller.enqueue(chunk);
      },
      flush: isThere,
    });
    return new Response(new XzReadableStream(answer.body.pipeThrough(count)), { headers: { "Content-Type": type } });
  };
  const machine = WebAssembly.compileStreaming(load("pyodide.asm.wasm", "application/wasm"));
  const blobs = [["pyodide.asm.mjs", "text/javascript"], ["library.zip", ""]].map(([name, type]) => load(name, type).then((each) => each.blob()));
  const course = load("python.zip", "").then((each) => each.arrayBuffer());
  const first = Promise.all([machine, ...blobs]).then(([machine, glue, library]) => ({ machine, glue, library }));
  for (const part of [first, course]) part.catch(() => {}); // told by whoever waits for it
  return { first, course };
}

/** Return the answer of the server, which must have the file. */
async function fetchWhole(name) {
  const answer = await fetch(new URL(name, import.meta.url));
  if (!answer.ok) throw new Error(`${answer.url}: ${answer.status} ${answer.statusText}`);
  return answer;
}
