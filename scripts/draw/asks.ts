/** The lane of asks: a dot for each that was admitted, a cross for each that was refused. */
import { across, type Layout } from "./layout.ts";
import { PATTERN } from "./pattern.ts";
import type { Answered, Run } from "./run.ts";
import { element, tenth, text } from "./svg.ts";

const RADIUS = 4.3;
const ARM = 3.2;
/** How far apart asks of one instant are stacked. */
const APART = 11.5;

/** Every ask, those of one instant on top of each other in the order they came. */
export function drawAsks({ asks }: Run, layout: Layout): string[] {
  const stacked = new Map<number, number>();
  return asks.map((ask) => {
    const below = stacked.get(ask.at) ?? 0;
    stacked.set(ask.at, below + 1);
    return mark(ask.ok, { x: across(ask.at), y: layout.asks - below * APART });
  });
}

/** A dot for yes, a cross for no. */
export function mark(ok: boolean, { x, y }: { readonly x: number; readonly y: number }): string {
  if (ok) return element("circle", { class: "admitted", cx: x, cy: y, r: RADIUS });
  const corner = `${tenth(x - ARM)} ${tenth(y - ARM)}`;
  const other = `${tenth(x - ARM)} ${tenth(y + ARM)}`;
  const [across, up] = [`l${2 * ARM} ${2 * ARM}`, `l${2 * ARM} ${-2 * ARM}`];
  return element("path", { class: "refused", d: `M${corner}${across}M${other}${up}` });
}

/** What the pattern does at the time, and how much of it was admitted. */
export function drawPhases({ asks }: Run, layout: Layout): string[] {
  return PATTERN.flatMap(({ name, middle }) => {
    const own = asks.filter(({ phase }) => phase === name);
    const x = across(middle);
    if (own.length === 0) return [text({ class: "middle", x, y: layout.asks + 4 }, name)];
    return [
      text({ class: "middle", x, y: 82 }, name),
      text({ class: "middle strong", x, y: 98 }, admittedOf(own)),
    ];
  });
}

/** "5 of 8 admitted" */
export function admittedOf(asks: readonly Answered[]): string {
  return `${asks.filter(({ ok }) => ok).length} of ${asks.length} admitted`;
}

/** Where delayed work starts, and which ask it belongs to. */
export function drawStarts({ asks }: Run, layout: Layout): string[] {
  const { starts } = layout;
  if (starts === undefined) return [];
  const admitted = asks.filter(({ ok }) => ok);
  const below = layout.asks + 8;
  const paths = admitted.map(
    ({ at, start }) => `M${tenth(across(at))} ${below}L${tenth(across(start))} ${starts - 7}`,
  );
  return [
    element("path", { class: "delay", d: paths.join("") }),
    ...admitted.map(({ start }) => mark(true, { x: across(start), y: starts })),
  ];
}
