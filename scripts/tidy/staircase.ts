/** Imports between the folders of a package point down the stairs, and only to an index. */
import type { Check, Finding } from "./finding.ts";
import { resolve } from "./resolve.ts";
import { type Import, modulesIn } from "./syntax.ts";

type Staircase = {
  readonly src: string;
  /** Lowest first. A `*` stands for any folder there, each a stair of its own at one height. */
  readonly stairs: readonly string[];
  /** What not even the package's index may import. */
  readonly apart: readonly string[];
};

export const STAIRCASES: readonly Staircase[] = [
  {
    src: "packages/spillway/src/",
    stairs: [
      "core",
      "internal",
      "algorithms",
      "telemetry",
      "store",
      "stores/memory",
      "stores/postgres/clients",
      "stores/*",
      "limiter",
      "shedding",
      "http",
      "middleware/guard",
      "middleware/*",
      "moving",
      "client",
      "sockets",
      "value",
      "react",
      "deferred",
      "visitors",
      "testing",
    ],
    apart: ["testing"],
  },
  {
    src: "packages/server/src/",
    stairs: [
      "error-codes.ts",
      "request-error.ts",
      "rules",
      "service",
      "envoy",
      "transports/intake",
      "transports/*",
      "telemetry",
      "commands",
    ],
    apart: [],
  },
];

export const staircase: Check = (tree) =>
  STAIRCASES.flatMap((house) =>
    modulesIn(tree, new RegExp(`^${house.src}`)).flatMap(([file, { imports }]) => [
      ...homeless(house, file),
      ...imports.flatMap((each) => misstep(house, file, each)),
    ]),
  );

/** A stair, and how high it is. The index stands on top of all. */
type Stair = { readonly name: string; readonly height: number };

function stairOf({ src, stairs }: Staircase, file: string): Stair | undefined {
  const path = file.slice(src.length);
  if (path === "index.ts") return { name: path, height: stairs.length };
  for (const [height, stair] of stairs.entries()) {
    const depth = stair.split("/").length;
    const name = path.split("/").slice(0, depth).join("/");
    const isHere = stair.endsWith("*") ? name.startsWith(stair.slice(0, -1)) : name === stair;
    if (isHere) return { name, height };
  }
  return undefined;
}

function homeless(house: Staircase, file: string): Finding[] {
  if (stairOf(house, file) !== undefined) return [];
  const expected = `a folder of the staircase: ${house.stairs.join(", ")}`;
  return [{ file, line: 1, found: "a file on no stair", expected }];
}

function misstep(house: Staircase, file: string, step: Import): Finding[] {
  const path = resolve(file, step);
  if (path === undefined || !path.startsWith(house.src)) return [];
  const [start, end] = [stairOf(house, file), stairOf(house, path)];
  if (start === undefined || end === undefined || start.name === end.name) return [];
  const expected = whatIsWrong({ house, start, end, path });
  if (expected === undefined) return [];
  return [{ file, line: step.line, found: `${start.name} importing ${step.from}`, expected }];
}

type Step = {
  readonly house: Staircase;
  readonly start: Stair;
  readonly end: Stair;
  readonly path: string;
};

function whatIsWrong({ house, start, end, path }: Step): string | undefined {
  const { src, stairs, apart } = house;
  if (end.height >= start.height) {
    const below = stairs.slice(0, start.height).join(", ") || "nothing";
    return `only what is below it: ${below}`;
  }
  if (start.name === "index.ts" && apart.includes(end.name)) return `nothing of ${end.name}`;
  const index = end.name.endsWith(".ts") ? end.name : `${end.name}/index.ts`;
  return path === src + index ? undefined : `its index, ${index}`;
}
