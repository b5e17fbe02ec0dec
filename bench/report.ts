/** How results are shown: a table for people, JSON for programs. All pure but `machine`. */
import { cpus } from "node:os";
import { relativeSpread } from "./numbers.ts";
import type { Group, Measured } from "./suites/suite.ts";

/** A row as `--json` writes it. */
export type Row = Omit<Measured, "rounds"> & {
  /** The value of the group's first row, which is spillway's, divided by this row's. */
  readonly ratio: number;
  /** How far the middle half of the rounds' ratios reaches, as a part of their median. */
  readonly spread?: number;
};

/** Above it, a ratio is shown with a mark: the machine was too busy to say it well. */
const NOISY = 0.15;

/** What the numbers were measured on. */
export function machine(): string {
  const processors = cpus();
  const model = processors[0]?.model.trim() ?? "unknown processor";
  return `${model}, ${processors.length} cores, ${process.platform} ${process.arch}, Node ${process.version}`;
}

/** Every row of a group, with its ratio. */
function withRatios({ rows }: Group): readonly Row[] {
  const [own] = rows;
  return rows.map(({ rounds, ...row }) => {
    const ratio = Number(((own?.value ?? Number.NaN) / row.value).toFixed(3));
    const noise = spreadOf(own?.rounds, rounds);
    return { ...row, ratio, ...(noise === undefined ? {} : { spread: noise }) };
  });
}

/** Of the ratios round by round; of the first row, which has no other, its own values. */
function spreadOf(own: Measured["rounds"], rounds: Measured["rounds"]): number | undefined {
  if (rounds === undefined || rounds.length < 2 || own?.length !== rounds.length) return undefined;
  const ratios = own === rounds ? rounds : rounds.map((value, at) => (own[at] as number) / value);
  const apart = relativeSpread(ratios);
  // Of rows that are 0 there is no ratio.
  return Number.isFinite(apart) ? Number(apart.toFixed(3)) : undefined;
}

/** The text of a `--json` file. */
export function json(suite: string, groups: readonly Group[]): string {
  return `${JSON.stringify({ suite, rows: groups.flatMap(withRatios) }, undefined, 2)}\n`;
}

/** A group as aligned columns under its title. */
export function table(group: Group): string {
  const rows = withRatios(group);
  const heads = ["", rows[0]?.unit ?? "", "spillway / row", "spread"];
  const cells = rows.map((row) => [row.name, grouped(row.value), ratioText(row), spreadText(row)]);
  const widths = heads.map((head, column) =>
    Math.max(head.length, ...cells.map((row) => row[column]?.length ?? 0)),
  );
  const lines = [heads, ...cells].map((row) => line(row, widths));
  return [group.title, ...lines, ...(rows.some(isNoisy) ? [WARNING] : [])].join("\n");
}

const WARNING = `  ~ noisy: the rounds' ratios spread over more than ${100 * NOISY} %; measure again at rest`;

function isNoisy({ spread = 0 }: Row): boolean {
  return spread > NOISY;
}

function ratioText(row: Row): string {
  return `${isNoisy(row) ? "~ " : ""}${row.ratio.toFixed(2)}`;
}

function spreadText({ spread }: Row): string {
  return spread === undefined ? "-" : `${(100 * spread).toFixed(1)} %`;
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
