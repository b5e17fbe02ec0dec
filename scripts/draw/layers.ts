/** The layers of the library: its folders, from what asks down to what everything stands on. */
import { readdirSync, readFileSync } from "node:fs";
import { STAIRCASES } from "../tidy/staircase.ts";
import { drawFrame } from "./frame.ts";
import { WIDTH } from "./layout.ts";
import type { OwnStyle } from "./style.ts";
import { element, text } from "./svg.ts";

const SOURCE = new URL("../../packages/spillway/src/", import.meta.url);
const TITLE = "The layers of the library";
const LINE = "Imports point down only. Each line is what a folder says of itself.";
/** Where the first layer is, how high each folder in it is, and the gap to the next. */
const FIRST = 74;
const HIGH = 24;
const GAP = 6;

/** A folder, and what its index says it is. */
type Folder = { readonly name: string; readonly about: string };

const OWN_STYLE: OwnStyle = {
  shapes: ".layer{stroke-width:1}",
  paint: ({ faint, line }) => `.layer{fill:${faint};stroke:${line}}`,
};

/** Draws them, by the order in which the structure test lets them import each other. */
export function drawLayers(): string {
  const layers = foldersByLayer();
  const rows = layers.reduce((sum, folders) => sum + folders.length, 0);
  const height = FIRST + rows * HIGH + layers.length * GAP + 18;
  const about = layers.map((folders) => folders.map(({ name }) => name).join(", ")).join("; ");
  return drawFrame({ title: TITLE, line: LINE, about, height, style: OWN_STYLE }, [
    text({ class: "title", x: 24, y: 34 }, TITLE),
    text({ x: 24, y: 54 }, LINE),
    ...drawAll(layers),
  ]);
}

function drawAll(layers: readonly (readonly Folder[])[]): string[] {
  let y = FIRST;
  return layers.flatMap((folders) => {
    const top = y;
    y += folders.length * HIGH + GAP;
    return [
      element("rect", {
        class: "layer",
        x: 24,
        y: top,
        width: WIDTH - 48,
        height: y - top - GAP,
        rx: 4,
      }),
      ...folders.flatMap(({ name, about }, row) => [
        text({ class: "strong", x: 36, y: top + row * HIGH + 16 }, name),
        text({ x: 160, y: top + row * HIGH + 16 }, about),
      ]),
    ];
  });
}

/** The folders that there are, highest first. */
function foldersByLayer(): readonly (readonly Folder[])[] {
  const { stairs } = STAIRCASES[0] as (typeof STAIRCASES)[number];
  const alone = stairs.filter((stair) => !stair.endsWith("*"));
  return stairs
    .filter((stair) => !isWithinAnother(stair))
    .map((stair) =>
      stair.endsWith("*")
        ? childrenOf(stair.slice(0, -1)).filter((folder) => !alone.includes(folder))
        : [stair],
    )
    .map((names) => names.flatMap(folderOf))
    .filter((folders) => folders.length > 0)
    .reverse();
}

/** A part of a folder that is a stair of its own, such as the clients of a store. */
const isWithinAnother = (stair: string): boolean => stair.split("/").length > 2;

function childrenOf(folder: string): readonly string[] {
  try {
    return readdirSync(new URL(folder, SOURCE)).map((name) => `${folder}${name}`);
  } catch {
    return [];
  }
}

function folderOf(name: string): readonly Folder[] {
  try {
    const index = readFileSync(new URL(`${name}/index.ts`, SOURCE), "utf8");
    const [, about = ""] = /^\/\*\* (.+?) \*\/$/m.exec(index) ?? [];
    return [{ name, about }];
  } catch {
    return [];
  }
}
