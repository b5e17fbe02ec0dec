/** The questions of `docs/which.md` as a tree, read from the table of the page. */
import { readFileSync } from "node:fs";
import { drawFrame } from "./frame.ts";
import { WIDTH } from "./layout.ts";
import type { OwnStyle } from "./style.ts";
import { element, text, wrapped } from "./svg.ts";

type Row = { readonly question: string; readonly answer: string };
type Box = { readonly shape: string; readonly x: number; readonly width: number };

const PAGE = new URL("../../docs/which.md", import.meta.url);
const TITLE = "Which one do I need?";
const LINE = "Begin at the top, and stop at the first yes.";
const TOP = 78;
const HEIGHT = 48;
const STEP = 72;
const QUESTION: Box = { shape: "question", x: 24, width: 420 };
const ANSWER: Box = { shape: "answer", x: 512, width: WIDTH - 512 - 24 };
/** The most characters of a line in a box, by its width. */
const PER_PIXEL = 1 / 6.8;

const OWN_STYLE: OwnStyle = {
  shapes: ".question,.answer{stroke-width:1}\n.way{fill:none}",
  paint: ({ ground, faint, line, quiet, admitted }) =>
    `.question{fill:${faint};stroke:${line}}\n.answer{fill:${ground};stroke:${admitted}}\n.way{stroke:${quiet}}`,
};

/** Draws the questions from top to bottom, and the answer to each on its right. */
export function drawQuestions(): string {
  const rows = rowsOf(readFileSync(PAGE, "utf8").replaceAll("\r\n", "\n"));
  const about = rows.map(({ question, answer }) => `${question} ${answer}`).join("; ");
  const height = TOP + (rows.length - 1) * STEP + HEIGHT + 24;
  return drawFrame({ title: TITLE, line: LINE, about, height, style: OWN_STYLE }, [
    text({ class: "title", x: 24, y: 34 }, TITLE),
    text({ x: 24, y: 54 }, LINE),
    ...rows.slice(0, -1).flatMap(drawQuestion),
    ...drawBox({ ...QUESTION, shape: "answer" }, rows.length - 1, rows.at(-1)?.answer ?? ""),
  ]);
}

/** The rows of the page's table; of a cell with an answer, what stands before its colon. */
function rowsOf(page: string): readonly Row[] {
  const rows = page.split("\n").filter((line) => /^\| \d+ \|/.test(line));
  return rows.map((line) => {
    const [, , question = "", cell = ""] = line.split("|").map((part) => part.trim());
    const words = cell.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replaceAll("`", "");
    return { question, answer: words.split(": ")[0] ?? "" };
  });
}

function drawQuestion({ question, answer }: Row, index: number): string[] {
  const middle = TOP + index * STEP + HEIGHT / 2;
  const right = QUESTION.x + QUESTION.width;
  const [below, down] = [middle + HEIGHT / 2, QUESTION.x + 40];
  return [
    arrow(`M${right} ${middle}H${ANSWER.x}m-6 -4l6 4l-6 4`),
    text({ class: "middle", x: (right + ANSWER.x) / 2 - 2, y: middle - 6 }, "yes"),
    arrow(`M${down} ${below}V${below + STEP - HEIGHT}m-4 -6l4 6l4 -6`),
    text({ x: down + 10, y: below + 16 }, "no"),
    ...drawBox(QUESTION, index, question),
    ...drawBox(ANSWER, index, answer),
  ];
}

function arrow(d: string): string {
  return element("path", { class: "way", d });
}

function drawBox({ shape, x, width }: Box, index: number, words: string): string[] {
  const y = TOP + index * STEP;
  const lines = wrapped(words, Math.floor((width - 24) * PER_PIXEL));
  const first = y + HEIGHT / 2 + 4 - (lines.length - 1) * 8;
  return [
    element("rect", { class: shape, x, y, width, height: HEIGHT, rx: 6 }),
    ...lines.map((line, row) => text({ class: "strong", x: x + 12, y: first + row * 16 }, line)),
  ];
}
