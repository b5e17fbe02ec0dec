/** How results are shown: a table for people, JSON for programs. All pure but `machine`. */
import { cpus } from "node:os";
import type { Group, Measured } from "./suites/suite.ts";

/** A row as `--json` writes it. */
export type Row = Measured & {
  /** The value of the group's first row, which is spillway's, divided by this row's. */
  readonly ratio: number;
};

/** What the numbers were measured on. */
export function machine(): string {
  const processors = cpus();
  const model = processors[0]?.model.trim() ?? "unknown processor";
  return `${model}, ${processors.length} cores, ${process.platform} ${process.arch}, Node ${process.version}`;
}

/** Every row of every group, with its ratio. */
function withRatios({ rows }: Group): readonly Row[] {
  const own = rows[0]?.value ?? Number.NaN;
  return rows.map((row) => ({ ...row, ratio: Number((own / row.value).toFixed(3)) }));
}

/** The text of a `--json` file. */
export function json(suite: string, groups: readonly Group[]): string {
  return `${JSON.stringify({ suite, rows: groups.flatMap(withRatios) }, undefined, 2)}\n`;
}

/** A group as aligned columns under its title. */
export function table(group: Group): string {
  const rows = withRatios(group);
  const unit = rows[0]?.unit ?? "";
  const heads = ["", unit, "spillway / row"];
  const cells = rows.map(({ name, value, ratio }) => [name, grouped(value), ratio.toFixed(2)]);
  const widths = heads.map((head, column) =>
    Math.max(head.length, ...cells.map((row) => row[column]?.length ?? 0)),
  );
  const lines = [heads, ...cells].map((row) => line(row, widths));
  return [group.title, ...lines].join("\n");
}

/** Names to the left, numbers to the right. */
function line(cells: readonly string[], widths: readonly number[]): string {
  const padded = cells.map((cell, column) => {
    const width = widths[column] ?? 0;
    return column === 0 ? cell.padEnd(width) : cell.padStart(width);
  });
  return `  ${padded.join("  ")}`;
}

/** 12345678.9 as 12 345 678.9. */
function grouped(value: number): string {
  const [whole = "", ...fraction] = String(value).split(".");
  return [whole.replace(/\B(?=(\d{3})+$)/g, " "), ...fraction].join(".");
}
