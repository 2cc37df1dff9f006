/*
 * A stand-in for the module that grades, for tests of the page alone: the same interface, and no Python.
 *
 * A file decides what is found in it: a line `# loop` never ends, `# wrong` fails, `# throws` breaks the grading itself,
 * `# prints` prints.
 */

export class Grading {
  constructor(onProgress) {
    onProgress(1e6, 2e6);
    onProgress(2e6, 2e6);
    this.ready = pause(50);
  }

  async run(kind, { task, answer, files }, onQuestion, run) {
    if (kind === "hint") {
      onQuestion({ question: { cpu_s: 20, request: {} } });
      while (files[`${task}.py`].includes("# loop") && !run.signal.aborted) await pause(20);
      return run.signal.aborted ? null : { said: `${task}: solved, 1 jump`, jump: [3, 2, 3, 4], jumps: [[3, 2, 3, 4]], pegs_left: 1, cpu_s: 0.01, message: "" };
    }
    const pictures = ["you predicted", "your program"].map((caption) => ({ cells: `**o${".".repeat(61)}`, marks: [], caption }));
    return { question: null, card: { headline: `you predicted: ${answer}`, more: [`${kind} ${task}: 2:3 -> 4:3`], pictures } };
  }

  async grade({ files, task, contracts, boards: named, onQuestion }) {
    this.stopped = false;
    const { file, boards: all } = (await (await fetch("course.json")).json()).tasks.find(({ name }) => name === task);
    const boards = all.filter(({ name }) => named?.includes(name) ?? true);
    const text = files[file];
    if (text.includes("# throws")) throw new Error("the worker has ended");
    const line = text.split("\n").findIndex((each) => each.includes("# wrong")) + 1;
    const rows = [];
    let running = "";
    for (const board of boards) {
      running = board.name;
      onQuestion?.({ rows, running, question: { cpu_s: 10, request: {} } });
      while (text.includes("# loop") && !this.stopped) await pause(20);
      if (this.stopped) break;
      await pause(5);
      rows.push(rowOf(board, text, line > 0));
    }
    const failed = rows.filter(({ headline, verdict }) => headline && verdict !== "not-run");
    return {
      stopped: this.stopped, running, task, rows,
      points: rows.reduce((sum, { points }) => sum + points, 0), maxPoints: rows.length,
      causes: failed.map((row) => ({
        ...row, head: row.board, place: `student/${file}:${Math.max(line, 1)}`, source: text.split("\n")[line - 1] ?? "", alike: [],
        pictures: [{ cells: `**o${"-".repeat(61)}`, marks: [["from", 0, 0], ["over", 0, 1], ["to", 0, 2]], caption: "the `first` jump" }],
        game: row.board === "one-peg" ? "" : "3234", button: { does: "Run", task, boards: [] },
      })),
      next: failed.length > 0 ? `next: fix the wrong answer on ${failed[0].board}, then: press ${contracts ? "Run" : "Grade"}` : rows.some(({ verdict }) => verdict === "not-run") ? "all that can be run here" : "all points   next: open peg2",
      after: contracts || failed.length > 0 ? "" : "peg3",
      marks: failed.map(({ headline }) => ({ file, line: Math.max(line, 1), text: headline })),
    };
  }

  stop() {
    this.stopped = true;
  }
}

function rowOf({ name, pegs, notRun }, text, isWrong) {
  const row = { board: name, pegs, truth: pegs ? "solvable" : null, seconds: 0.01, states: null, maxPoints: 1, headline: "", help: "", printed: "" };
  if (text.includes("# prints")) row.printed = "left 1\n<b>left</b> 2";
  if (notRun) return { ...row, verdict: "not-run", word: "-", answer: "not run", points: 0, headline: notRun };
  if (text.includes("NotImplementedError")) return { ...row, verdict: "not-written", word: "todo", answer: "not written yet", points: 0, headline: "solve is not written yet" };
  if (!isWrong) return { ...row, verdict: "accepted", word: "ok", answer: "solved, 1 jump", points: 1 };
  return { ...row, verdict: "wrong-answer", word: "FAIL", answer: "3 left", points: 0, headline: "3 pegs are left, and 1 can be", help: "take every jump back; see handouts/notation.html" };
}

function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
