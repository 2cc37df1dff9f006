// @ts-check

// The judge: `grader.site.browser.judge` in a worker of its own, which never runs a student's code.
//
//   {first}, {course}    start Python         -> {ready: true}
//   {start: job}     -> {rows, question}    as Session.step returns them, or {refused: {message, help}}
//   {answer}         -> {rows, question}
//   {report: true}   -> {report}
//   {film: job}      -> {question}          as FilmSession.step returns it, or {refused}; its last reply is {film, failed}

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
  if (request.start) {
    return begin(judge, request.start);
  }
  if (request.film) {
    return begin(python.pyimport("grader.site.browser.films"), request.film);
  }
  if (request.answer) {
    return JSON.parse(session.step(JSON.stringify(request.answer)));
  }
  return { report: JSON.parse(session.report()) };
}

function begin(module, job) {
  session?.destroy();
  session = null;
  const made = module.started(JSON.stringify(job));
  if (typeof made === "string") {
    return { refused: JSON.parse(made) };
  }
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
