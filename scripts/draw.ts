/**
 * Draws the pictures of `docs/algorithms` from what the code really answers, the pages of
 * `docs/shedding` and `docs/shares` from what comes of shedders and limits in simulation, the library's
 * layers from its folders, the way of a call from what one runs through, the places of limits, and the
 * questions of `docs/which.md` from its table.
 *
 * `node scripts/draw.ts` writes them. With `--check` it writes nothing, and fails where a file that
 * is there differs from what the code draws. Needs a build.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { drawLayers } from "./draw/layers.ts";
import { limitFiles } from "./draw/limits/page.ts";
import { pictures } from "./draw/pictures.ts";
import { drawPlaces } from "./draw/places.ts";
import { drawQuestions } from "./draw/questions.ts";
import { sheddingFiles } from "./draw/shedding/page.ts";
import { drawWay } from "./draw/way.ts";

const DOCS = new URL("../docs/", import.meta.url);

/** All that is drawn, by its place in `docs`. */
async function drawn(): Promise<ReadonlyMap<string, string>> {
  const within = (folder: string, files: ReadonlyMap<string, string>) =>
    [...files].map(([file, text]) => [`${folder}/${file}`, text] as const);
  return new Map([
    ["architecture.svg", drawLayers()],
    ["way-of-a-call.svg", await drawWay()],
    ["service/placing.svg", drawPlaces()],
    ["which.svg", drawQuestions()],
    ...within("algorithms", pictures()),
    ...within("shedding", await sheddingFiles()),
    ...within("shares", await limitFiles()),
  ]);
}

/** The files that are missing or differ from what the code draws, by their places in `docs`. */
export async function outdated(): Promise<readonly string[]> {
  return [...(await drawn())].filter(([file, text]) => read(file) !== text).map(([file]) => file);
}

function read(file: string): string | undefined {
  try {
    return readFileSync(new URL(file, DOCS), "utf8").replaceAll("\r\n", "\n");
  } catch {
    return undefined;
  }
}

async function write(): Promise<void> {
  for (const [file, text] of await drawn()) writeFileSync(new URL(file, DOCS), text);
}

async function check(): Promise<void> {
  const files = await outdated();
  if (files.length === 0) return;
  console.error(
    `docs: ${files.join(", ")} ${files.length === 1 ? "is" : "are"} not what the code draws. ` +
      "Run `npm run draw`, look at the change, and commit it.",
  );
  process.exitCode = 1;
}

if (import.meta.main) {
  if (process.argv.includes("--check")) await check();
  else await write();
}
