/**
 * Draws the pictures of `docs/algorithms` from what the code really answers.
 *
 * `node scripts/draw.ts` writes them. With `--check` it writes nothing, and fails where a picture
 * that is there differs from what the code draws. Needs a build.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { pictures } from "./draw/pictures.ts";

const FOLDER = new URL("../docs/algorithms/", import.meta.url);

/** The pictures that are missing or differ from what the code draws, by file name. */
export function outdated(): readonly string[] {
  return [...pictures()].filter(([file, svg]) => read(file) !== svg).map(([file]) => file);
}

function read(file: string): string | undefined {
  try {
    return readFileSync(new URL(file, FOLDER), "utf8").replaceAll("\r\n", "\n");
  } catch {
    return undefined;
  }
}

function write(): void {
  for (const [file, svg] of pictures()) writeFileSync(new URL(file, FOLDER), svg);
}

function check(): void {
  const files = outdated();
  if (files.length === 0) return;
  console.error(
    `docs/algorithms: ${files.join(", ")} ${files.length === 1 ? "is" : "are"} not what the code ` +
      "draws. Run `npm run draw`, look at the change, and commit it.",
  );
  process.exitCode = 1;
}

if (import.meta.main) {
  if (process.argv.includes("--check")) check();
  else write();
}
