/** The layers of the library: its folders, from what asks down to what everything stands on. */
import { readdirSync, readFileSync } from "node:fs";
import { HOUSES, type House, type Room } from "../tidy/houses.ts";
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

/** The folders that there are, highest first: a layer is a floor, and has the parts of its rooms. */
function foldersByLayer(): readonly (readonly Folder[])[] {
  const { floors } = HOUSES[0] as House;
  return floors
    .map((rooms) => rooms.flatMap(namesIn).flatMap(folderOf))
    .filter((folders) => folders.length > 0)
    .reverse();
}

/** A room, or its parts, highest first. */
function namesIn({ name, parts }: Room): readonly string[] {
  if (parts === undefined) return [name];
  const named = parts.flat().filter((part) => !part.endsWith("*") && part.split("/").length === 1);
  const all = parts.flatMap((floor) =>
    floor.flatMap((part) =>
      part.endsWith("*")
        ? childrenOf(
            `${name}/${part.slice(0, -1)}`,
            named.map((one) => `${name}/${one}`),
          )
        : named.filter((one) => one === part).map((one) => `${name}/${one}`),
    ),
  );
  return all.toReversed().map((one) => one.replace(/\/index\.ts$/, ""));
}

function childrenOf(folder: string, others: readonly string[]): readonly string[] {
  return readdirSync(new URL(folder, SOURCE), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !others.includes(folder + entry.name))
    .map(({ name }) => folder + name);
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
