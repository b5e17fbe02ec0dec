/** Leases over time: a bar for each, from when it was acquired until its unit came back. */
import { SECOND } from "spillway";
import { mark } from "../asks.ts";
import { drawCurve } from "../curve.ts";
import { drawFrame, drawTitle } from "../frame.ts";
import { across, type Layout } from "../layout.ts";
import { LENGTH } from "../pattern.ts";
import type { OwnStyle } from "../style.ts";
import { element, tenth, text } from "../svg.ts";
import { type Held, type Play, play } from "./play.ts";
import { LIMIT } from "./story.ts";

const ASKS = 92;
/** Where the first lease stands, and how far apart they are. */
const FIRST = 126;
const APART = 26;
const THICK = 14;
const LAYOUT: Layout = { asks: ASKS, starts: undefined, top: 222, bottom: 282, height: 322 };

const OWN_STYLE: OwnStyle = {
  shapes: `.lease{opacity:.3}
.dead{fill:none;stroke-dasharray:3 3}
.renewed{stroke-width:1.8}`,
  paint: ({ admitted, refused }) => `.lease{fill:${admitted}}
.dead{stroke:${refused}}
.renewed{stroke:${admitted}}`,
};

const TITLE = "Concurrency";
const LINE = `${LIMIT.capacity} in flight, each released, renewed, or forgotten after ${LIMIT.ttl / SECOND} s`;

/** Draws it. Pure: the same text every time. */
export function drawLeases(): string {
  const shown = play();
  return drawFrame(
    { title: TITLE, line: LINE, about: describe(shown), height: LAYOUT.height, style: OWN_STYLE },
    [
      ...drawTitle({ title: TITLE, line: LINE }),
      ...drawLegend(),
      ...drawTime(),
      ...drawLanes(),
      ...drawCurve(shown, { name: "remaining", capacity: LIMIT.capacity, units: (n) => n }, LAYOUT),
      ...shown.leases.flatMap(drawLease),
      ...shown.asks.map(({ at, ok }) => mark(ok, { x: across(at), y: ASKS })),
    ],
  );
}

function drawLease({ at, left, freed, renewed, place }: Held): string[] {
  const y = FIRST + place * APART - THICK / 2;
  const bar = (kind: string, from: number, to: number) =>
    element("rect", {
      class: kind,
      x: across(from),
      y,
      width: across(Math.min(to, LENGTH)) - across(from),
      height: THICK,
      rx: 3,
    });
  const ticks = renewed.map((instant) => `M${tenth(across(instant))} ${y}v${THICK}`).join("");
  return [
    bar("lease", at, left),
    ...(freed > left ? [bar("dead", left, freed)] : []),
    ...(ticks === "" ? [] : [element("path", { class: "renewed", d: ticks })]),
  ];
}

/** What the kinds of bars mean, below the asks' legend. */
function drawLegend(): string[] {
  const box = (kind: string, x: number) =>
    element("rect", { class: kind, x, y: 42, width: 22, height: 11, rx: 3 });
  return [
    box("lease", 485),
    element("path", { class: "renewed", d: "M499 42v11" }),
    text({ x: 513, y: 52 }, "held, renewed"),
    box("dead", 613),
    text({ x: 641, y: 52 }, "its holder died"),
  ];
}

function drawTime(): string[] {
  const tens = Array.from({ length: LENGTH / LIMIT.ttl + 1 }, (_, n) => n * LIMIT.ttl);
  const { bottom } = LAYOUT;
  return tens.flatMap((at) => [
    element("path", { class: "grid", d: `M${across(at)} ${ASKS + 8}V${bottom}` }),
    text({ class: "middle", x: across(at), y: bottom + 22 }, `${at / SECOND} s`),
  ]);
}

function drawLanes(): string[] {
  const base = (y: number) =>
    element("path", { class: "base", d: `M${across(0)} ${y}H${across(LENGTH)}` });
  const name = (y: number, word: string) => text({ class: "end", x: across(0) - 10, y }, word);
  return [
    base(ASKS + 8),
    base(LAYOUT.bottom),
    name(ASKS + 4, "calls"),
    name(FIRST + APART + 4, "leases"),
  ];
}

/** What the picture shows, for those who cannot see it. */
function describe({ asks, leases }: Play): string {
  const refused = asks.filter(({ ok }) => !ok).length;
  const died = leases.filter(({ left, freed }) => freed > left);
  const times = died.map(
    ({ left, freed }) =>
      `one dies at ${left / SECOND} s, and its unit is back at ${freed / SECOND} s`,
  );
  return (
    `${TITLE}: ${LINE}. Of ${asks.length} calls in ${LENGTH / SECOND} seconds ${refused} are refused, ` +
    `while ${LIMIT.capacity} leases are held. Of the holders ${times.join("; ")}.`
  );
}
