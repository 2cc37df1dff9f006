// @ts-check

// Python in a worker: Pyodide, and the course's own modules out of python.zip.

import { loadPyodide } from "./pyodide/pyodide.mjs";

const PLACE = "/course";

/** Return Pyodide's machine, compiled once for all workers. Its file is stored compressed: few servers do that. */
export async function compileMachine() {
  const answer = await fetch(new URL("pyodide/pyodide.asm.wasm.gz", import.meta.url));
  if (!answer.ok) {
    throw new Error(`${answer.url}: ${answer.status} ${answer.statusText}`);
  }
  const unpacked = answer.body.pipeThrough(new DecompressionStream("gzip"));
  return WebAssembly.compileStreaming(new Response(unpacked, { headers: { "Content-Type": "application/wasm" } }));
}

/** Start Python on a compiled machine; with `contracts` false as `python -O`, without contracts and asserts. */
export async function startPython(machine, contracts) {
  const archive = fetchArchive("python.zip");
  takeMachine(machine);
  const python = await loadPyodide({
    indexURL: new URL("pyodide/", import.meta.url).href,
    args: contracts ? [] : ["-O"],
    env: { HOME: "/home/student" },
  });
  python.unpackArchive(await archive, "zip", { extractDir: PLACE });
  python.runPython(`import sys; sys.path.insert(0, ${JSON.stringify(PLACE)})`);
  return python;
}

/** Give a started Python more modules of the course, out of another archive. */
export async function addModules(python, name) {
  python.unpackArchive(await fetchArchive(name), "zip", { extractDir: PLACE });
  python.runPython("import importlib; importlib.invalidate_caches()");
}

async function fetchArchive(name) {
  const answer = await fetch(new URL(name, import.meta.url));
  if (!answer.ok) {
    throw new Error(`${answer.url}: ${answer.status} ${answer.statusText}`);
  }
  return answer.arrayBuffer();
}

/** Have Pyodide, which would fetch and compile its machine itself, take the one that there is. */
function takeMachine(module) {
  const plainFetch = self.fetch.bind(self);
  const isMachine = (file) => String(file.url ?? file).endsWith(".wasm");
  self.fetch = async (file, options) => (isMachine(file) ? new Response() : plainFetch(file, options));
  WebAssembly.instantiateStreaming = async (_, imports) => {
    /** @type {any} of a compiled machine, unlike that of its bytes, the instance alone is returned */
    const instance = await WebAssembly.instantiate(module, imports);
    return { module, instance };
  };
}
