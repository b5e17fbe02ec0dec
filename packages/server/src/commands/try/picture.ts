/** Draws the result of a simulation for a terminal. All functions are pure. */
import type { Column, PlayResult } from "./play.ts";
import { UNITS } from "./units.ts";

const BLOCKS = "▁▂▃▄▅▆▇█";

/** Draws a line of bars, each in proportion to `most`; 0 is a space. */
export function bars(numbers: readonly number[], most: number): string {
  return numbers
    .map((number) => (number === 0 ? " " : BLOCKS[Math.ceil((number / most) * 8) - 1]))
    .join("");
}

/** Draws lines that show what was admitted, refused and left. */
export function picture({ columns, admitted, refused, ...played }: PlayResult): readonly string[] {
  const most = Math.max(1, ...columns.map((column) => Math.max(column.admitted, column.refused)));
  const mostLeft = Math.max(1, ...columns.map(({ left }) => left));
  const line = (name: keyof Column, highest: number) =>
    `  ${name}`
      .padEnd(NAME)
      .concat(
        bars(
          columns.map((column) => column[name]),
          highest,
        ),
      )
      .trimEnd();
  return [
    line("admitted", most),
    line("refused", most),
    line("left", mostLeft),
    `  ${admitted} admitted, ${refused} refused${waits(played)}`,
  ];
}

function waits({
  firstRefusal,
  longestWait,
}: Pick<PlayResult, "firstRefusal" | "longestWait">): string {
  const longest = longestWait === 0 ? "" : `; the longest wait is ${time(longestWait)}`;
  if (firstRefusal === undefined) return longest;
  const { at, retryAfter } = firstRefusal;
  return `${longest}; the first after ${time(at)}: try again in ${time(retryAfter)}`;
}

/** The width of a line's name and the spaces after it. */
const NAME = 12;

/** Draws the axis under the picture: its start, its middle and its end. */
export function axis({ span, width }: { readonly span: number; readonly width: number }): string {
  const [middle, end] = [time(span / 2), time(span)];
  const gap = Math.floor(width / 2) - 1 - Math.floor(middle.length / 2);
  const line = `0${space(gap)}${middle}`;
  return `${space(NAME)}${line}${space(width - line.length - end.length)}${end}`;
}

function space(width: number): string {
  return " ".repeat(Math.max(1, width));
}

const MILLISECOND = { ms: 1, shown: "ms" };

/** Formats a time for people: `1.5 min`, `250 ms`. */
export function time(length: number): string {
  if (!Number.isFinite(length)) return "never";
  const unit = UNITS.find(({ ms, shown }) => shown !== undefined && length >= ms);
  const { ms, shown } = unit ?? MILLISECOND;
  return `${Math.round((length / ms) * 100) / 100} ${shown}`;
}
