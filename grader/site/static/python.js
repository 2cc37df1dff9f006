// @ts-check

// Python in a worker: Pyodide, and the course's own modules. The page has loaded both; see loading.js.

import { loadPyodide } from "./pyodide/pyodide.mjs";

// The last finder: it puts the whole library in the place of the part that is there, once more of it is imported.
const REST = `
import importlib, json, sys

class Rest:
    home = next(place for place in sys.path if place.endswith(".zip"))
    names = json.load(open("/course/library.json"))

    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in self.names:
            sys.meta_path.remove(self)
            with open(self.home, "wb") as library:
                library.write(fetch().to_bytes())
            importlib.invalidate_caches()
            return importlib.machinery.PathFinder.find_spec(name, path)

sys.meta_path.append(Rest())
`;

/** Start Python with its parts; with `contracts` false as `python -O`, without contracts and asserts. */
export async function startPython({ machine, glue, library }, contracts) {
  takeMachine(machine);
  const { default: createPyodideModule } = await import(URL.createObjectURL(glue));
  return loadPyodide({
    createPyodideModule,
    indexURL: new URL("pyodide/", import.meta.url).href,
    stdLibURL: URL.createObjectURL(library),
    args: contracts ? [] : ["-O"],
    env: { HOME: "/home/student" },
  });
}

/** Give a started Python the course; `onWait` is told that the program waits for the rest of the library, and the end. */
export function addCourse(python, archive, onWait = (isWaiting) => {}) {
  python.unpackArchive(archive, "zip", { extractDir: "/course" });
  python.runPython("import sys; sys.path.insert(0, '/course')");
  const fetch = () => {
    onWait(true);
    const request = new XMLHttpRequest();
    request.open("GET", new URL("pyodide/python_stdlib.zip", import.meta.url), false);
    request.responseType = "arraybuffer";
    try {
      request.send();
    } finally {
      onWait(false);
    }
    return request.response;
  };
  python.runPython(REST, { globals: python.toPy({ fetch }) });
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
