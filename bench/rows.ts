/** From what rounds measured to the rows of a table. All pure. */
import { median } from "./numbers.ts";
import type { Figures, Rounds } from "./run.ts";
import type { Group, Measured } from "./suites/suite.ts";

/** Which figure the rows show, and how. */
export type Column<F extends Figures> = {
  readonly figure: keyof F & string;
  readonly unit: string;
  /** What stands behind the contestants' names. */
  readonly suffix?: string;
  /** From the figure to the unit of the row. Default: as it is. */
  readonly convert?: (figure: number) => number;
};

/** One figure of all contestants, as a row each. */
export function groupOf<F extends Figures>(
  title: string,
  rounds: Rounds<F>,
  { figure, unit, suffix = "", convert = (value) => value }: Column<F>,
): Group {
  const rows = [...rounds].map(([name, all]) => {
    const values = all.map((figures) => convert(figures[figure] as number));
    return rowOf({ name: name + suffix, unit }, values);
  });
  return { title, rows };
}

/** A row whose value is the median of its rounds. */
export function rowOf(row: Omit<Measured, "value">, rounds: readonly number[]): Measured {
  return { ...row, value: rounded(median(rounds)), rounds };
}

/** Three digits, or all before the point. */
export function rounded(value: number): number {
  return Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(3));
}
