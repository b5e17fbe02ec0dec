/** Rows of processes, painted on a canvas each. */
import type { ProcessesPlay } from "../../../model/index.ts";
import type { Colours } from "./charts.ts";

/** What a row shows: units as an area, calls as marks below it. */
export type UnitsRow = {
  readonly name: string;
  readonly units: readonly number[];
  readonly admitted: readonly number[];
  readonly refused: readonly number[];
  /** The number that fills the row's height. */
  readonly most: number;
  readonly isMissing: boolean;
};

/** The store's row, that of each process, and that of units which are not back yet. */
export function rowsOf({ rows, left, missing, capacity }: ProcessesPlay): readonly UnitsRow[] {
  const without = { admitted: [], refused: [], isMissing: false };
  const all = rows.flatMap(({ units }) => units);
  const most = Math.max(
    1,
    ...[all, missing].map((units) => units.reduce((a, b) => (a > b ? a : b), 0)),
  );
  const lost = { ...without, name: "not back yet", units: missing, most, isMissing: true };
  return [
    { ...without, name: "left in the store", units: left, most: capacity },
    ...rows.map((row) => ({ ...row, most, isMissing: false })),
    ...(missing.some((units) => units > 0) ? [lost] : []),
  ];
}

const HEIGHT = 56;
/** The height of the marks of calls. */
const MARKS = 6;

export function drawRow(canvas: HTMLCanvasElement, row: UnitsRow, colours: Colours): void {
  const width = Math.max(100, canvas.clientWidth);
  const ratio = devicePixelRatio || 1;
  [canvas.width, canvas.height] = [width * ratio, HEIGHT * ratio];
  const context = canvas.getContext("2d");
  if (context === null) return;
  context.scale(ratio, ratio);
  const step = width / row.units.length;
  const top = HEIGHT - MARKS - 2;
  context.fillStyle = row.isMissing ? colours.refused : colours.left;
  for (const [index, units] of row.units.entries()) {
    const height = (units / row.most) * top;
    context.fillRect(index * step, top - height, step + 0.5, height);
  }
  for (const [index, refused] of row.refused.entries()) {
    if (refused + (row.admitted[index] ?? 0) === 0) continue;
    context.fillStyle = refused > 0 ? colours.refused : colours.admitted;
    context.fillRect(index * step, HEIGHT - MARKS, Math.max(1, step - 0.3), MARKS);
  }
  // Below the area, so that it is seen under rows with units too.
  context.fillStyle = colours.text;
  context.globalAlpha = 0.5;
  context.fillRect(0, top, width, 1);
}
