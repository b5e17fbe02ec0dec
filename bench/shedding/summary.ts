/** All situations in one table. Pure. */
import { FIGURES, type Seen } from "./figures.ts";

/** What was seen of a contender. */
type Named = Seen & { readonly contender: string };

/** Under each situation a line for each contender, with all its figures. */
export function summary(tried: readonly Named[]): string {
  const heads = ["", ...FIGURES.map(({ name }) => name)];
  const cells = [...Map.groupBy(tried, ({ situation }) => situation)].flatMap(([{ name }, all]) => [
    [name, ...FIGURES.map(() => "")],
    ...all.map((each) => [`  ${each.contender}`, ...FIGURES.map(({ of }) => textOf(of(each)))]),
  ]);
  const widths = heads.map((head, column) =>
    Math.max(head.length, ...cells.map((row) => row[column]?.length ?? 0)),
  );
  return [heads, ...cells].map((row) => lineOf(row, widths)).join("\n");
}

function textOf(value: number): string {
  return Number.isNaN(value) ? "–" : String(value);
}

function lineOf(cells: readonly string[], widths: readonly number[]): string {
  const padded = cells.map((cell, column) => {
    const width = widths[column] ?? 0;
    return column === 0 ? cell.padEnd(width) : cell.padStart(width);
  });
  return padded.join("  ").trimEnd();
}
