/** The layers of the library: its rooms, floor by floor, from what asks down to what everything stands on. */
import { readdirSync, readFileSync } from "node:fs";
import { HOUSES, type House, type Room } from "../tidy/houses.ts";
import { drawFrame } from "./frame.ts";
import { WIDTH } from "./layout.ts";
import type { OwnStyle } from "./style.ts";
import { element, text } from "./svg.ts";

const SOURCE = new URL("../../packages/spillway/src/", import.meta.url);
const TITLE = "The layers of the library";
const LINE = "Ten rooms on seven floors. Imports point down only.";
/** Where the first floor is, how high each room on it is, and the gap to the next. */
const FIRST = 74;
const HIGH = 42;
const GAP = 6;

/** A room, what its README says it is, and its folders. */
type Drawn = { readonly name: string; readonly about: string; readonly parts: string };

const OWN_STYLE: OwnStyle = {
  shapes: ".layer{stroke-width:1}",
  paint: ({ faint, line }) => `.layer{fill:${faint};stroke:${line}}`,
};

/** Draws them, by the order in which the structure test lets them import each other. */
export function drawLayers(): string {
  const floors = (HOUSES[0] as House).floors.map((rooms) => rooms.flatMap(drawn)).reverse();
  const height = FIRST + floors.flat().length * HIGH + floors.length * GAP + 18;
  const about = floors.map((rooms) => rooms.map(({ name }) => name).join(", ")).join("; ");
  return drawFrame({ title: TITLE, line: LINE, about, height, style: OWN_STYLE }, [
    text({ class: "title", x: 24, y: 34 }, TITLE),
    text({ x: 24, y: 54 }, LINE),
    ...drawAll(floors),
  ]);
}

function drawAll(floors: readonly (readonly Drawn[])[]): string[] {
  let y = FIRST;
  return floors.flatMap((rooms) => {
    const top = y;
    const height = rooms.length * HIGH;
    y += height + GAP;
    return [
      element("rect", { class: "layer", x: 24, y: top, width: WIDTH - 48, height, rx: 4 }),
      ...rooms.flatMap((room, row) => drawRoom(room, top + row * HIGH)),
    ];
  });
}

function drawRoom({ name, about, parts }: Drawn, top: number): string[] {
  return [
    text({ class: "strong", x: 36, y: top + 17 }, name),
    text({ x: 130, y: top + 17 }, about),
    text({ x: 130, y: top + 34 }, parts),
  ];
}

/** A room with its README and its folders; the index of the package is none. */
function drawn({ name }: Room): readonly Drawn[] {
  if (name.endsWith(".ts")) return [];
  const room = new URL(`${name}/`, SOURCE);
  const [, about = ""] =
    /^# \w+: (.+)$/m.exec(readFileSync(new URL("README.md", room), "utf8")) ?? [];
  const folders = readdirSync(room, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return [{ name, about, parts: folders.map((folder) => folder.name).join(" · ") }];
}
