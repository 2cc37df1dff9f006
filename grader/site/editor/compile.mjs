// Compile the Python that a page imports at once: `node compile.mjs FOLDER`, by grader/site/bundle.py.
//
// FOLDER has Pyodide, and the course's modules in python.zip. This one is written anew, and beside it library.zip: of
// Python's library what a first run imports. In both, what it imports is compiled; nothing is compressed.

import { readFileSync, writeFileSync } from "node:fs";

const [, , folder] = process.argv;
const { loadPyodide } = await import(`${folder}/pyodide.mjs`);
const python = await loadPyodide({ indexURL: folder, args: ["-X", "no_debug_ranges"] }); // of no use to a student
python.unpackArchive(new Uint8Array(readFileSync(`${folder}/python.zip`)), "zip", { extractDir: "/course" });
python.runPython(`
import ast, json, marshal, sys, zipfile
from importlib.util import MAGIC_NUMBER
from pathlib import Path

sys.path.insert(0, "/course")
from grader.site.browser import judge, student

run = judge.Session({"task": "client", "files": {"client.py": "pass"}, "contracts": True, "boards": None})
run.step()
while json.loads(run.step(json.dumps({"end": "DIED", "returncode": 1, "frame": "", "cpu_s": 0, "peak_mib": 0, "head": "", "tail": ""})))["question"]:
    pass
run.report()
student.warm()
imported = {*sys.modules}

def compiled(name, source):
    tree = ast.parse(source)
    for node in ast.walk(tree):
        documented = isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        if documented and ast.get_docstring(node):
            node.body[0].value.value = "." # not empty: dataclasses would write another one
    code = compile(tree, name, "exec", dont_inherit=True, optimize=0)
    return MAGIC_NUMBER + (1).to_bytes(4, "little") + bytes(8) + marshal.dumps(code) # 1: of no source

def write(archive, home, files, only):
    with zipfile.ZipFile(archive, "w") as out:
        for name, content in sorted(files.items()):
            is_first = name.removesuffix(".py").replace("/", ".").removesuffix(".__init__") in imported
            # the framework's source is shown in messages, and -O decides what __debug__ is
            if is_first and not (name.startswith("framework/") or name.startswith("grader/") and b"__debug__" in content):
                name, content = f"{name}c", compiled(f"{home}/{name}", content)
            if is_first or not only:
                out.writestr(zipfile.ZipInfo(name), content)

library = zipfile.ZipFile("/lib/python314.zip")
files = {name: library.read(name) for name in library.namelist()}
write("/library.zip", "/lib/python314.zip", files, True)
course = {str(file.relative_to("/course")): file.read_bytes() for file in Path("/course").rglob("*") if file.suffix != ".pyc" and file.is_file()}
course["library.json"] = json.dumps(sorted({name.partition("/")[0].removesuffix(".py") for name in files})).encode()
write("/python.zip", "/course", course, False)
`);
for (const name of ["library.zip", "python.zip"]) writeFileSync(`${folder}/${name}`, python.FS.readFile(`/${name}`));
process.exit();
