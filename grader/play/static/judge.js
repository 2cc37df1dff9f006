// @ts-check

/* Who says whether a position can be won: the oracle, or else the strongest of the student's programs. */

import { parseBoard } from "../web/position.js";
import { PAGE, answered, post } from "./requests.js";

/**
 * Return the judge, as Timeline takes it; null if nobody can judge.
 *
 * @param helpers the sources of hints, the strongest first.
 * @param small whether the oracle knows the board's positions at once.
 */
export function judgeOf(helpers, small) {
  const ready = helpers.filter((helper) => helper.ready && helper.judges);
  const helper = ready.find(({ judges }) => judges === "truth") ?? ready[0];
  if (!helper) return null;
  const isTruth = helper.judges === "truth";
  return {
    name: isTruth ? "the oracle" : `your ${helper.who}`,
    isTruth,
    atOnce: isTruth && small,
    ask: (cells) => (isTruth ? truth(helper.who, cells) : opinion(helper.who, cells)),
  };
}

async function asked(who, cells) {
  return answered(await post("/api/hint", { cells, who, page: PAGE }));
}

async function truth(who, cells) {
  const { state, solvable, jumps, message } = await asked(who, cells);
  if (state !== "done") return `${who}: no answer`;
  if (message) return message;
  const position = parseBoard(cells);
  return new Map([[cells, solvable], ...jumps.map(({ jump, wins }) => [position.after(jump).cells, wins])]);
}

async function opinion(who, cells) {
  const { state, pegs_left, said } = await asked(who, cells);
  if (state !== "done") return `${who}: no answer`;
  return pegs_left === null ? said : new Map([[cells, pegs_left === 1]]);
}
