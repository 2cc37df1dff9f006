// @ts-check

// The judge: `grader.site.browser.judge` in a worker of its own, which never runs a student's code.
//
//   {machine}        first: start Python      -> {ready: true}
//   {start: job}     -> {rows, question}    as Session.step returns them, or {refused: {message, help}}
//   {answer}         -> {rows, question}
//   {report: true}   -> {report}
//   {film: job}      -> {question}          as FilmSession.step returns it, or {refused}; its last reply is {film, failed}

import { addModules, startPython } from "./python.js";

let python = null;
let judge = null;
let films = null; // once one is asked for
let session = null;

async function reply(request) {
  if (request.machine) {
    python = await startPython(request.machine, true);
    judge = python.pyimport("grader.site.browser.judge");
    return { ready: true };
  }
  if (request.start) {
    return begin(judge, request.start);
  }
  if (request.film) {
    if (films === null) {
      await addModules(python, "film.zip");
      films = python.pyimport("grader.site.browser.films");
    }
    return begin(films, request.film);
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
  try {
    self.postMessage(await reply(data));
  } catch (error) {
    self.postMessage({ fault: String(error.message ?? error) });
  }
};
