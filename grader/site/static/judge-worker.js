// The judge: `grader.site.browser.judge` in a worker of its own, which never runs a student's code.
//
//   {machine}        first: start Python      -> {ready: true}
//   {start: job}     -> {rows, question}    as Session.step returns them, or {refused: {message, help}}
//   {answer}         -> {rows, question}
//   {report: true}   -> {report}

import { startPython } from "./python.js";

let judge = null;
let session = null;

async function reply(request) {
  if (request.machine) {
    judge = (await startPython(request.machine, true)).pyimport("grader.site.browser.judge");
    return { ready: true };
  }
  if (request.start) {
    session?.destroy();
    session = null;
    const made = judge.started(JSON.stringify(request.start));
    if (typeof made === "string") {
      return { refused: JSON.parse(made) };
    }
    session = made;
    return JSON.parse(session.step());
  }
  if (request.answer) {
    return JSON.parse(session.step(JSON.stringify(request.answer)));
  }
  return { report: JSON.parse(session.report()) };
}

self.onmessage = async ({ data }) => {
  try {
    self.postMessage(await reply(data));
  } catch (error) {
    self.postMessage({ fault: String(error.message ?? error) });
  }
};
