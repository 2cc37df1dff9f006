// @ts-check

/* The files as a .zip that `grade class` takes in, and files from a .zip or a .py. */

import { strToU8, unzipSync, zipSync } from "./libraries.js";

export const MOST_BYTES = 256 * 1024; // of a file, as `grade` takes it
const MOST_ZIP = 32 * 1024 * 1024;
const MOST_NAMED = 5; // files that a sentence names

/** Return a .zip of texts by file name. */
export function pack(texts) {
  const entries = Object.entries(texts).map(([name, text]) => [name, strToU8(text)]);
  return new Blob([zipSync(Object.fromEntries(entries))], { type: "application/zip" });
}

/**
 * Read a .zip or a .py that a student chose.
 *
 * @param file a File.
 * @param names the files of the tasks.
 * @return `texts`, by name, and `leftOut`: what was left out, and why; nothing of it is an error that is thrown.
 */
export async function unpack(file, names) {
  if (file.size > MOST_ZIP) return { texts: {}, leftOut: [`${file.name}, which has more than ${MOST_ZIP >> 20} MiB`] };
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (names.includes(file.name)) return readTexts([[file.name, bytes]], []);
  if (bytes[0] !== 0x50 || bytes[1] !== 0x4b) { // PK
    return { texts: {}, leftOut: [`${file.name}, which is neither a .zip nor one of ${names.join(", ")}`] };
  }
  try {
    return unzipTexts(bytes, names);
  } catch (error) {
    return { texts: {}, leftOut: [`${file.name}, which is a damaged .zip (${error.message})`] };
  }
}

/** Take the tasks' files from the folder of a .zip that `grade` would take them from. */
function unzipTexts(bytes, names) {
  const listed = [];
  unzipSync(bytes, { filter: (entry) => listed.push(entry) && false });
  const files = listed.filter(({ name }) => !name.endsWith("/") && !isJunk(name));
  const isTasks = ({ name }) => names.includes(name.split("/").at(-1)) && !name.split("/").includes("..");
  const folders = [...new Set(files.filter(isTasks).map(({ name }) => folderOf(name)))];
  const nearest = Math.min(...folders.map(rank));
  const candidates = folders.filter((folder) => rank(folder) === nearest);
  if (candidates.length > 1) {
    return { texts: {}, leftOut: [`the folders ${candidates.join(", ")}: each has files of the tasks, so open one of them alone`] };
  }
  const wanted = files.filter((entry) => isTasks(entry) && folderOf(entry.name) === candidates[0]);
  const others = files.filter((entry) => !wanted.includes(entry)).map(({ name }) => name);
  const small = new Set(wanted.filter(({ originalSize }) => originalSize <= MOST_BYTES).map(({ name }) => name));
  const leftOut = wanted.filter(({ name }) => !small.has(name)).map(({ name }) => tooLarge(name));
  if (others.length > 0) {
    const more = others.length > MOST_NAMED ? ` and ${others.length - MOST_NAMED} more` : "";
    leftOut.push(`${others.slice(0, MOST_NAMED).join(", ")}${more}, which ${others.length === 1 ? "is no file" : "are no files"} of a task`);
  }
  const contents = unzipSync(bytes, { filter: ({ name }) => small.has(name) });
  return readTexts(Object.entries(contents).map(([path, content]) => [path.split("/").at(-1), content]), leftOut);
}

function folderOf(path) {
  return path.split("/").slice(0, -1).join("/") || ".";
}

/** Return how near a folder is: by its depth; student/ comes before the folder that it is in. */
function rank(folder) {
  const parts = folder === "." ? [] : folder.split("/");
  return parts.at(-1) === "student" ? parts.length - 1 : parts.length + 0.5;
}

/** Return whether a system or an editor puts such a file into a .zip by itself. */
function isJunk(path) {
  return path.split("/").some((part) => part === "__pycache__" || part === "__MACOSX" || part.startsWith("."));
}

function tooLarge(name) {
  return `${name}, which has more than ${MOST_BYTES >> 10} KiB`;
}

/** Return the texts of files; one that is too large, or no text, is left out. */
function readTexts(files, leftOut) {
  const texts = {};
  for (const [name, content] of files) {
    if (content.length > MOST_BYTES) {
      leftOut.push(tooLarge(name));
      continue;
    }
    try {
      texts[name] = new TextDecoder("utf-8", { fatal: true }).decode(content).replaceAll("\r\n", "\n");
    } catch {
      leftOut.push(`${name}, which is not UTF-8 text`);
    }
  }
  return { texts, leftOut };
}
