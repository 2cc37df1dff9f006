// @ts-check

/* The question on a task's program, which the address names (predict.html#peg2), and what the program does. */

import { atOnce } from "./at-once.js";
import { loadCourse } from "./course.js";
import { Programs } from "./programs.js";
import { Files } from "./storage.js";
import { card, drawn, inCode, picture } from "./web/card.js";
import { byId, element, onPress } from "./web/page.js";
import { parseBoard } from "./web/position.js";

const shownIn = (id) => (words) => (byId(id).textContent = words);
const say = shownIn("said");
const name = location.hash.slice(1);
const { tasks } = await loadCourse();
const { question } = tasks.find((task) => task.name === name) ?? {};
addEventListener("hashchange", () => location.reload());
if (question) ask(question, await Files.open(tasks, { onTrouble: shownIn("trouble") }));
else say("There is no such question: choose a task, and there the question in its handout.");

function ask({ kind, board, words, cells, choices }, files) {
  const place = `prediction ${name} ${kind} ${board}`; // an answer to another question does not count
  const isAnswer = (given) => (choices.length > 0 ? choices.includes(given) : /^\d{1,6}$/.test(given));
  let answer = atOnce.get(place);
  const programs = new Programs(files);
  const form = element("form", { class: "answers buttons" }, ...(choices.length > 0 ? choices.map(choiceButton) : numberField(answer)));
  const follow = () => {
    for (const each of form.querySelectorAll("[aria-pressed]")) each.setAttribute("aria-pressed", `${each.value === answer}`);
    byId("compare").hidden = false;
    compare(programs, answer);
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    answer = event.submitter.value || `${form.elements[0].valueAsNumber}`;
    if (!atOnce.set(place, answer)) byId("trouble").textContent = "This browser does not let the page keep your answer.";
    follow();
  });
  onPress(byId("compare"), follow);
  const drawing = picture({ cells, marks: [], caption: `the board \`${board}\`` });
  byId("asked").append(drawing, element("div", { class: "words" }, element("h2", {}, ...inCode(words)), form));
  byId("title").textContent = `Before you write ${name}`;
  byId("ways").append(element("a", { href: `work.html#${name}` }, `Open ${name}`));
  if (isAnswer(answer)) follow();
}

/** Return the button of a jump, or of a board, which has a number. */
function choiceButton(choice, index) {
  const position = parseBoard(choice);
  const made = element("button", { value: choice, "aria-pressed": "false" }, ...(position ? [`${index + 1}`, drawn(choice)] : inCode(choice)));
  const pegs = position?.holes.filter((cell) => position.at(...cell) === "*").map((cell) => cell.join(":"));
  if (pegs) made.lastElementChild.setAttribute("aria-label", `board with pegs on ${pegs.join(", ")}`);
  return made;
}

function numberField(answer) {
  const field = { type: "number", min: "0", max: "999999", required: "", value: answer ?? "", "aria-label": "your answer" };
  return [element("input", field), element("button", { class: "primary" }, "Answer")];
}

/** Show what the program does, and whether the answer was right. */
async function compare(programs, answer) {
  say(`${name}: starting`);
  const { card: said, message, help } = await programs.ask("comparison", name, { answer }, say).answer;
  const before = byId("compared").textContent;
  byId("compared").replaceChildren(card(said ?? { headline: message, help }));
  say(byId("compared").textContent === before ? `Compared again: nothing is new in ${name}.` : "");
}
