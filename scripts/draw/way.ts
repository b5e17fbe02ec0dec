/** The way of a call: the files that one `limit` on Redis runs through, as `npm run journey` finds them. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { drawFrame } from "./frame.ts";
import { WIDTH } from "./layout.ts";
import type { OwnStyle } from "./style.ts";
import { element, text } from "./svg.ts";

const CALL = "limit, redis";
const TITLE = "The way of a call";
const LINE =
  'What limiter.limit("search", { key: "user 42" }) on Redis runs through: folder, work, files.';
/** Where the first station is, how high each is, and the gap to the next, in which an arrow stands. */
const FIRST = 74;
const HIGH = 46;
const GAP = 18;
const LEFT = 24;

/** A folder on the way, and what happens there. In order; a folder within another one comes before it. */
const STATIONS = [
  ["limiter", "finds the plan, checks the key and the options: an ask"],
  ["stores/shared", "sends on what is neither lent nor sharded; has the rest divided"],
  [
    "stores/remote",
    "makes one request of all that is asked in a turn, under a breaker and a deadline",
  ],
  ["stores/redis", "makes keys and arguments of it, calls the script once, reads its reply"],
  ["stores/port", "makes numbers of commands, and answers of the states that come back"],
  ["limits/algorithms", "the steps, run on these states: the decision"],
  ["limits/core", "the words that all share: states, timers"],
] as const;

const OWN_STYLE: OwnStyle = {
  shapes: ".layer,.arrow{stroke-width:1}\n.arrow{fill:none}",
  paint: ({ faint, line, quiet }) =>
    `.layer{fill:${faint};stroke:${line}}\n.arrow{stroke:${quiet}}`,
};

/** Draws it, on a real server. @throws where the way has a folder that is not described, or lacks one */
export async function drawWay(): Promise<string> {
  const stations = stationsOf(await filesOfWay());
  const height = FIRST + stations.length * (HIGH + GAP);
  const about = stations.map(({ folder, files }) => `${folder}: ${files.join(", ")}`).join("; ");
  return drawFrame({ title: TITLE, line: LINE, about, height, style: OWN_STYLE }, [
    text({ class: "title", x: LEFT, y: 34 }, TITLE),
    text({ x: LEFT, y: 54 }, LINE),
    ...stations.flatMap(drawStation),
  ]);
}

type Station = {
  readonly folder: string;
  readonly work: string;
  readonly files: readonly string[];
};

function stationsOf(files: readonly string[]): readonly Station[] {
  const folderOf = (file: string) =>
    STATIONS.find(([folder]) => file.startsWith(`${folder}/`))?.[0];
  const lost = files.filter((file) => folderOf(file) === undefined);
  if (lost.length > 0) throw new Error(`scripts/draw/way.ts has no word of ${lost.join(", ")}`);
  return STATIONS.map(([folder, work]) => {
    const own = files.filter((file) => folderOf(file) === folder);
    if (own.length === 0) throw new Error(`the way of a call does not pass ${folder} any more`);
    return { folder, work, files: own.map((file) => file.slice(folder.length + 1, -".js".length)) };
  });
}

function drawStation({ folder, work, files }: Station, index: number): string[] {
  const top = FIRST + index * (HIGH + GAP);
  const box = { class: "layer", x: LEFT, y: top, width: WIDTH - 2 * LEFT, height: HIGH, rx: 4 };
  const arrow = `M${WIDTH / 2} ${top - GAP + 2}V${top - 3}m-4 -5l4 5l4 -5`;
  return [
    element("rect", box),
    text({ class: "strong", x: 36, y: top + 19 }, folder),
    text({ x: 150, y: top + 19 }, work),
    text({ x: 150, y: top + 37 }, listed(files)),
    ...(index === 0 ? [] : [element("path", { class: "arrow", d: arrow })]),
  ];
}

/** As many names as fit on a line. */
const MOST = 6;

function listed(files: readonly string[]): string {
  const more = files.length - MOST;
  const shown = files.slice(0, MOST).join(" · ");
  return more > 0 ? `${shown} · and ${more} more` : shown;
}

/** In a process of its own: what this one has loaded is not counted there. */
async function filesOfWay(): Promise<readonly string[]> {
  const journey = fileURLToPath(new URL("../journey.ts", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [journey, "--files", CALL]);
  return [...(JSON.parse(stdout) as string[])].sort();
}
