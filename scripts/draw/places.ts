/** The places of a limit on the way of a request: what each knows, and what it stops. */
import { drawFrame } from "./frame.ts";
import { WIDTH } from "./layout.ts";
import type { OwnStyle } from "./style.ts";
import { element, text, wrapped } from "./svg.ts";

type Place = { readonly name: string; readonly knows: string; readonly stops: string };

/** In the order in which a request comes by. */
const PLACES: readonly Place[] = [
  { name: "client", knows: "its own plans", stops: "requests that would be refused" },
  { name: "edge", knows: "addresses, countries", stops: "floods" },
  { name: "gateway", knows: "path, headers, key, in flight", stops: "what no program need see" },
  { name: "middleware", knows: "user, plan, route, body", stops: "a user who asks too much" },
  { name: "store", knows: "whether it was written", stops: "a quota overdrawn" },
];

const TITLE = "Where a limit can stand";
const LINE = "Further right, a request has cost more, and more is known of it.";
const LEFT = 24;
const GAP = 12;
const TOP = 78;
const HEIGHT = 96;
const WIDE = (WIDTH - 2 * LEFT - (PLACES.length - 1) * GAP) / PLACES.length;

/** The most characters of a line in a place. */
const LONGEST = 20;

const OWN_STYLE: OwnStyle = {
  shapes: ".place{stroke-width:1}\n.small{font-size:11px}",
  paint: ({ faint, line, quiet }) => `.place{fill:${faint};stroke:${line}}\n.way{stroke:${quiet}}`,
};

/** Draws them from left to right. */
export function drawPlaces(): string {
  const about = PLACES.map(({ name, knows, stops }) => `${name} knows ${knows}, stops ${stops}`);
  const height = TOP + HEIGHT + 24;
  const frame = { title: TITLE, line: LINE, about: about.join("; "), height, style: OWN_STYLE };
  return drawFrame(frame, [
    text({ class: "title", x: LEFT, y: 34 }, TITLE),
    text({ x: LEFT, y: 54 }, LINE),
    ...PLACES.flatMap(drawPlace),
  ]);
}

function drawPlace({ name, knows, stops }: Place, index: number): string[] {
  const x = LEFT + index * (WIDE + GAP);
  const y = TOP + HEIGHT / 2;
  const way = { class: "way", x1: x - GAP, y1: y, x2: x, y2: y };
  const all = [...wrapped(knows, LONGEST), "", ...wrapped(stops, LONGEST)];
  return [
    ...(index === 0 ? [] : [element("line", way)]),
    element("rect", { class: "place", x, y: TOP, width: WIDE, height: HEIGHT, rx: 6 }),
    text({ class: "strong", x: x + 10, y: TOP + 20 }, name),
    ...all.map((line, row) => text({ class: "small", x: x + 10, y: TOP + 38 + row * 12 }, line)),
  ];
}
