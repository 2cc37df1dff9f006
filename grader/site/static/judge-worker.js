// @ts-check

// The judge: `grader.site.browser.judge` in a worker of its own, which never runs a student's code.
//
//   {first}, {course}    start Python   -> {ready: true}
//   {module, job}    -> {question, ...} as `step` of what the module starts returns it, or {refused: {message, help}}
//   {answer}         -> {question, ...}
//   {report: true}   -> {report}
//
// A module is one of grader/site/browser: "judge", "films" or "predicting".

import { addCourse, startPython } from "./python.js";

let starting = null;
let python = null;
let session = null;

async function reply(request) {
  if (request.course) {
    python = await starting;
    addCourse(python, request.course);
    moduleOf("judge"); // so that a first run does not wait for it
    return { ready: true };
  }
  if (request.module) return begin(moduleOf(request.module), request.job);
  if (request.answer) return JSON.parse(session.step(JSON.stringify(request.answer)));
  return { report: JSON.parse(session.report()) };
}

function moduleOf(name) {
  return python.pyimport(`grader.site.browser.${name}`);
}

function begin(module, job) {
  session?.destroy();
  session = null;
  const made = module.started(JSON.stringify(job));
  if (typeof made === "string") return { refused: JSON.parse(made) };
  session = made;
  return JSON.parse(session.step());
}

self.onmessage = async ({ data }) => {
  if (data.first) {
    starting = startPython(data.first, true);
    return;
  }
  try {
    self.postMessage(await reply(data));
  } catch (error) {
    self.postMessage({ fault: String(error.message ?? error) });
  }
};
