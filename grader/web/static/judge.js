// @ts-check

/* Who says whether a position can be won: the oracle, or else the strongest of the student's programs. */

import { parseBoard } from "./position.js";

const SMALL = 33; // holes; the oracle knows positions on such boards at once, or after some seconds once

/**
 * Return the judge, as Timeline takes it; null if nobody can judge.
 *
 * @param helpers the sources of hints, the strongest first.
 * @param {number[][]} holes those of the board.
 * @param {(who: string, cells: string) => import("./progress.js").Asked} ask asks one of them.
 */
export function judgeOf(helpers, holes, ask) {
  const ready = helpers.filter((helper) => helper.ready && helper.judges);
  const helper = ready.find(({ judges }) => judges === "truth") ?? ready[0];
  if (!helper) return null;
  const isTruth = helper.judges === "truth";
  return {
    name: isTruth ? "the oracle" : `your ${helper.who}`,
    isTruth,
    atOnce: isTruth && holes.length <= SMALL,
    async ask(cells) {
      const answer = await ask(helper.who, cells).answer;
      if (answer?.state !== "done") return `${helper.who}: no answer`;
      if (isTruth) return truth(cells, answer);
      return answer.pegs_left === null ? answer.said : new Map([[cells, answer.pegs_left === 1]]);
    },
  };
}

function truth(cells, { solvable, jumps, message }) {
  if (message) return message;
  const position = parseBoard(cells);
  return new Map([[cells, solvable], ...jumps.map(({ jump, wins }) => [position.after(jump).cells, wins])]);
}
