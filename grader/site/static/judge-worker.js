// @ts-check

// The judge: `grader.site.browser.judge` in a worker of its own, which never runs a student's code.
//
//   {first}, {course}    start Python   -> {ready: true}
//   {kind, job}      -> {question, ...} as `step` says it of what `started` returns, or {refused: {message, help}}
//   {answer}         -> {question, ...}
//   {report: true}   -> {report}

import { addCourse, startPython } from "./python.js";

let starting = null;
let python = null;
let judge = null;
let session = null;

async function reply(request) {
  if (request.course) {
    python = await starting;
    addCourse(python, request.course);
    judge = python.pyimport("grader.site.browser.judge");
    return { ready: true };
  }
  if (request.kind) return begin(request.kind, request.job);
  if (request.answer) return JSON.parse(session.step(JSON.stringify(request.answer)));
  return { report: JSON.parse(session.report()) };
}

function begin(kind, job) {
  session?.destroy();
  session = null;
  const made = judge.started(kind, JSON.stringify(job));
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
