/** Formats answers for people. All functions are pure. */
import { DAY, HOUR, MINUTE, SECOND } from "spillway/core";

/** Returns rows in columns of equal width. The first row is the heading. */
export function columns(rows: readonly (readonly string[])[]): readonly string[] {
  const [heading = []] = rows;
  const widths = heading.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}

const UNITS = [
  { name: "d", size: DAY },
  { name: "h", size: HOUR },
  { name: "min", size: MINUTE },
  { name: "s", size: SECOND },
  { name: "ms", size: 1 },
] as const;

/** Formats a time in its two largest units, such as `14 min 59 s`; `never` for null. */
export function shownTime(ms: number | null): string {
  if (ms === null) return "never";
  const first = UNITS.findIndex(({ size }) => ms >= size);
  const [large, small] = UNITS.slice(first < 0 ? -1 : first);
  if (large === undefined) return "0 ms";
  const count = Math.floor(ms / large.size);
  const rest = small === undefined ? 0 : Math.floor((ms % large.size) / small.size);
  const tail =
    rest === 0 || small === undefined || large.size === SECOND ? "" : ` ${rest} ${small.name}`;
  return `${count} ${large.name}${tail}`;
}
