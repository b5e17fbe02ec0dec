/** Imports point to lower floors only: between the rooms of a package, and between the parts of a room. */
import type { Check, Finding } from "./finding.ts";
import { HOUSES, type House, type Room } from "./houses.ts";
import { resolve } from "./resolve.ts";
import { type Import, modulesIn } from "./syntax.ts";
import type { Tree } from "./tree.ts";

export const floors: Check = (tree) => HOUSES.flatMap((house) => findingsIn(tree, house));

function findingsIn(tree: Tree, house: House): readonly Finding[] {
  return modulesIn(tree, new RegExp(`^${house.src}`)).flatMap(([file, { imports }]) => [
    ...homeless(house, file),
    ...imports.flatMap((each) => misstep({ tree, house, file, step: each })),
  ]);
}

/** The pairs of rooms of which one imports the other, as texts. */
export function arrowsOf(tree: Tree, house: House): ReadonlySet<string> {
  const pairs = modulesIn(tree, new RegExp(`^${house.src}`)).flatMap(([file, { imports }]) =>
    imports.map((each) => [placeOf(house, file)?.room, roomOf(house, resolve(file, each))]),
  );
  const known = pairs.filter(([from, to]) => from !== undefined && to !== undefined && from !== to);
  return new Set(known.map(([from, to]) => `${from} → ${to}`));
}

function roomOf(house: House, path = ""): string | undefined {
  return path.startsWith(house.src) ? placeOf(house, path)?.room : undefined;
}

/** Where a file is: in a room and a part of it, and how high they are. */
type Place = {
  readonly room: string;
  readonly floor: number;
  readonly part: string;
  readonly partFloor: number;
};

function placeOf({ src, floors }: House, file: string): Place | undefined {
  const path = file.slice(src.length);
  const [name = "", ...rest] = path.split("/");
  for (const [floor, rooms] of floors.entries()) {
    const room = rooms.find((one) => one.name === name);
    if (room !== undefined) return partOf({ room, floor, path: rest.join("/") });
  }
  return undefined;
}

type Searched = { readonly room: Room; readonly floor: number; readonly path: string };

function partOf({ room, floor, path }: Searched): Place | undefined {
  const { name, parts } = room;
  if (parts === undefined) return { room: name, floor, part: "", partFloor: 0 };
  const named = parts.flatMap((all, partFloor) => all.map((pattern) => ({ pattern, partFloor })));
  const exact = named.find(({ pattern }) => path === pattern || path.startsWith(`${pattern}/`));
  const found = exact ?? named.find(({ pattern }) => isAny(pattern, path));
  if (found === undefined) return undefined;
  const depth = found.pattern.split("/").length;
  const part = path.split("/").slice(0, depth).join("/");
  return { room: name, floor, part, partFloor: found.partFloor };
}

/** Whether a path is in a folder that a `*` stands for. */
function isAny(pattern: string, path: string): boolean {
  if (!pattern.endsWith("*")) return false;
  const folder = pattern.slice(0, -1);
  return path.startsWith(folder) && path.slice(folder.length).includes("/");
}

function homeless(house: House, file: string): Finding[] {
  if (placeOf(house, file) !== undefined) return [];
  const rooms = house.floors.flatMap((all) => all.map(({ name }) => name));
  const expected = `a room of scripts/tidy/houses.ts: ${rooms.join(", ")}`;
  return [{ file, line: 1, found: "a file in no room", expected }];
}

type Step = {
  readonly tree: Tree;
  readonly house: House;
  readonly file: string;
  readonly step: Import;
};

function misstep({ tree, house, file, step }: Step): Finding[] {
  const path = resolve(file, step);
  if (path === undefined || !path.startsWith(house.src)) return [];
  const [from, to] = [placeOf(house, file), placeOf(house, path)];
  if (from === undefined || to === undefined) return [];
  const expected = from.room === to.room ? within(from, to) : between(from, to);
  const wrong = expected ?? window({ tree, house, from, to, path });
  if (wrong === undefined) return [];
  return [{ file, line: step.line, found: `an import of ${step.from}`, expected: wrong }];
}

function between(from: Place, to: Place): string | undefined {
  return to.floor < from.floor ? undefined : `${from.room} to import lower floors than its own`;
}

function within(from: Place, to: Place): string | undefined {
  if (from.part === to.part || to.partFloor < from.partFloor) return undefined;
  return `${from.room}/${from.part} to import lower parts of ${from.room}`;
}

type Entered = {
  readonly tree: Tree;
  readonly house: House;
  readonly from: Place;
  readonly to: Place;
  readonly path: string;
};

/** Another room is entered by an index; a part of one's own room by its index, if it has one. */
function window({ tree, house, from, to, path }: Entered): string | undefined {
  if (from.room === to.room && from.part === to.part) return undefined;
  const folder = [to.room, to.part].filter((name) => name !== "").join("/");
  const index = folder.endsWith(".ts") ? folder : `${folder}/index.ts`;
  if (path === house.src + index) return undefined;
  const isOwnRoom = from.room === to.room;
  return isOwnRoom && !tree.has(house.src + index) ? undefined : `its index, ${index}`;
}
