/** The repository's texts, and their new names. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { LIBRARY, SERVER } from "../names.mjs";
import { LIBRARY as FOLDER } from "../reference/subpaths.ts";
import { ROOT } from "../setup/places.mjs";
import { mistakeIn, type Names } from "./names.ts";
import { type Renaming, renamed } from "./rename.ts";

/** Texts by their paths from the root. */
export type Texts = ReadonlyMap<string, string>;

/** Names that the packages have. */
export const PRESENT: Names = { library: LIBRARY, server: SERVER };

/** Where names are examples, or recorded as they were. */
export const KEPT = /^scripts\/(?:rename|test\/release)\/|\/fixtures\/.*\.(?:sql|json)$/;

/** Files of the repository that are texts, and may have names of the packages. */
export function texts(): Texts {
  const command = ["ls-files", "--cached", "--others", "--exclude-standard", "-z"];
  const listed = execFileSync("git", command, { cwd: ROOT, encoding: "utf8" }).split("\0");
  const paths = listed.filter((path) => path !== "" && existsSync(join(ROOT, path)));
  return new Map(paths.map((path) => [path, readFileSync(join(ROOT, path), "utf8")]));
}

/**
 * Texts that change with new names, as they will be.
 *
 * @throws If npm would not take the names.
 */
export function changed(all: Texts, { from, to }: Pick<Renaming, "from" | "to">): Texts {
  const mistake = mistakeIn(to);
  if (mistake !== undefined) throw new Error(mistake);
  const pairs = [...all].map(([path, text]) => {
    return [path, renamed(text, { from, to, path, subpaths: subpaths() })] as const;
  });
  return new Map(pairs.filter(([path, text]) => !KEPT.test(path) && text !== all.get(path)));
}

/** The library's subpaths, such as `testing/simulation`. */
export function subpaths(): readonly string[] {
  const { exports } = JSON.parse(readFileSync(join(FOLDER, "package.json"), "utf8"));
  return Object.keys(exports).flatMap((key) => (key === "." ? [] : [key.slice(2)]));
}
