// @ts-check

// A student's program: `grader.site.browser.student` in a worker that the page ends when a limit is over.
//
//   {first, contracts}, {course}    start Python      -> {ready: true}
//   {question}     as AsksWorker makes it            -> {loaded: true}, once the files are imported
//                                                    -> {isWaiting}, while more of Python's library is loaded
//                                                    -> {outcome}, and then the worker is free
//                                                    -> {outcome, over: true}: the worker must be ended
// The outcome is what `asking.py` takes: end, frame, cpu_s, peak_mib, and what was printed.

import { addCourse, startPython } from "./python.js";

const MIB = 1 << 20;
const OUTPUT_BYTES = MIB; // as grader/sandbox/confine/limits.py
const SHOWN_BYTES = 4096; // of the head of what is printed, and as many of its tail
const output = new Uint8Array(OUTPUT_BYTES);
const LOOK_MS = 50; // how often memory is looked at
const SIGPROF = 27;
const SIGABRT = -6; // as processes end in them
const SIGSEGV = -11;

let starting = null;
let python = null;
let student = null;
let browser = null;
let asked = null; // what is known of the question that is being answered
let waited = 0; // ms for the rest of the library, which are nobody's fault

self.onmessage = async ({ data }) => {
  try {
    if (data.first) {
      starting = startPython(data.first, data.contracts);
    } else if (data.course) {
      python = await starting;
      start(data.course);
      self.postMessage({ ready: true });
    } else {
      answer(data.question);
    }
  } catch (error) {
    if (asked !== null && typeof error?.status === "number") {
      finish({ end: "DIED", returncode: error.status }, true); // it ended its interpreter
    } else if (asked !== null && error instanceof RangeError) {
      finish({ end: "DIED", returncode: SIGSEGV }, true); // JavaScript's own stack is full
    } else if (asked !== null && error instanceof WebAssembly.RuntimeError) {
      finish({ end: "DIED", returncode: SIGABRT }, true);
    } else {
      self.postMessage({ fault: String(error?.message ?? error) });
    }
  }
};

function start(course) {
  addCourse(python, course, onWait);
  python.setStdin({ stdin: () => null });
  for (const stream of [python.setStdout, python.setStderr]) {
    stream.call(python, { write: printed, isatty: false });
  }
  student = python.pyimport("grader.site.browser.student");
  browser = student.Browser(tell, (seconds) => {
    timer.every = seconds * 1000;
    timer.next = performance.now() + timer.every;
  }, () => time() / 1000);
  student.warm();
  python.setInterruptBuffer(interrupts);
}

/** The clock of a program, which stands still while it waits. */
function time() {
  return performance.now() - waited;
}

function onWait(isWaiting) {
  waited += isWaiting ? -performance.now() : performance.now();
  self.postMessage({ isWaiting });
}

function answer(question) {
  asked = { started: time(), frame: "", printed: 0 };
  asked.most = question.memory_mib * MIB;
  timer.every = 0;
  student.answer(JSON.stringify(question), browser);
  finish({ end: "ANSWERED", frame: asked.frame }, false);
}

function tell(kind, text) {
  if (kind === "loaded") {
    asked.started = time();
    self.postMessage({ loaded: true });
  } else if (kind === "answer") {
    asked.frame = text;
    asked.answered ??= time();
  } else {
    finish(asked.frame ? { end: "ANSWERED", frame: asked.frame } : { end: text }, true);
    stall();
  }
}

function finish(outcome, over) {
  const ended = asked.answered ?? time();
  const size = Math.min(asked.printed, OUTPUT_BYTES);
  self.postMessage({
    outcome: {
      frame: "",
      cpu_s: (ended - asked.started) / 1000,
      peak_mib: python._module.HEAPU8.length / MIB,
      head: String.fromCharCode(...output.subarray(0, Math.min(SHOWN_BYTES, size))),
      tail: String.fromCharCode(...output.subarray(Math.max(SHOWN_BYTES, size - SHOWN_BYTES), size)),
      ...outcome,
    },
    over,
  });
  asked = null;
}

/** Wait to be ended: nothing of the student's may run any more. */
function stall() {
  for (;;);
}

function printed(bytes) {
  if (asked !== null) {
    output.set(bytes.subarray(0, Math.max(0, OUTPUT_BYTES - asked.printed)), Math.min(asked.printed, OUTPUT_BYTES));
    asked.printed += bytes.length;
    if (asked.printed > OUTPUT_BYTES) tell("end", "OUTPUT_LIMIT");
  }
  return bytes.length;
}

// Python looks here now and then for the number of a signal. So a timer needs no shared memory, which a plain
// web server does not allow.
const timer = { every: 0, next: 0, look: 0 };
const interrupts = {
  get 0() {
    const now = performance.now();
    if (asked !== null && now >= timer.look) {
      timer.look = now + LOOK_MS;
      if (python._module.HEAPU8.length > asked.most) tell("end", "MEMORY_LIMIT");
    }
    if (timer.every === 0 || now < timer.next) return 0;
    timer.next = now + timer.every;
    return SIGPROF;
  },
  set 0(_) {},
};
