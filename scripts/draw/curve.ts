/** The curve below the asks: the units left, or those that queue. */
import { across, type Layout } from "./layout.ts";
import { LENGTH } from "./pattern.ts";
import type { Run } from "./run.ts";
import { element, tenth, text } from "./svg.ts";

/** What the curve shows, and how high it can go. */
export type Curve = {
  readonly name: string;
  readonly capacity: number;
  /** The height, in units, for what is left. */
  readonly units: (remaining: number) => number;
};

export function drawCurve({ steps }: Pick<Run, "steps">, curve: Curve, layout: Layout): string[] {
  const height = (remaining: number) => {
    const share = curve.units(remaining) / curve.capacity;
    return tenth(layout.bottom - share * (layout.bottom - layout.top));
  };
  const line = steps.map(({ at, remaining }, index) => {
    const x = tenth(across(at));
    return index === 0 ? `M${x} ${height(remaining)}` : `H${x}V${height(remaining)}`;
  });
  const d = `${line.join("")}H${tenth(across(LENGTH))}`;
  const area = `${d}V${layout.bottom}H${tenth(across(0))}Z`;
  return [
    element("path", { class: "area", d: area }),
    element("path", { class: "curve", d }),
    ...drawScale(curve, layout),
  ];
}

function drawScale({ name, capacity }: Curve, { top, bottom }: Layout): string[] {
  const place = { class: "end", x: across(0) - 10 };
  return [
    text({ ...place, y: top + 4 }, String(capacity)),
    text({ ...place, y: (top + bottom) / 2 + 4 }, name),
    text({ ...place, y: bottom + 4 }, "0"),
  ];
}
