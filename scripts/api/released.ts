/** What the last release exported, as `api/released.json` keeps it. */
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Surface } from "./changes.ts";
import { declarationsIn } from "./declarations.ts";
import { ENTRIES, importOf, REPORTS } from "./reports.ts";

const FILE = join(REPORTS, "released.json");

/** Characters of a code: enough that no two declarations have one by chance. */
const CODE_LENGTH = 12;

export type Released = {
  /** The version; "0.0.0" before the first. */
  readonly version: string;
  /** Codes of declarations by their names, by the keys of imports. */
  readonly names: Surface;
};

export function readReleased(): Released {
  return JSON.parse(readFileSync(FILE, "utf8"));
}

export function writeReleased(released: Released): void {
  writeFileSync(FILE, `${JSON.stringify(released, undefined, 2)}\n`);
}

/** What reports export, by the keys of imports. */
export function surfaceOf(reports: ReadonlyMap<string, string>): Surface {
  return Object.fromEntries(
    ENTRIES.map(({ key, report }) => {
      const declared = declarationsIn(reports.get(report) ?? "");
      return [key, Object.fromEntries([...declared].map(([name, text]) => [name, codeOf(text)]))];
    }),
  );
}

/** The same by what programs import. */
export function byImport(surface: Surface): Surface {
  return Object.fromEntries(Object.entries(surface).map(([key, codes]) => [importOf(key), codes]));
}

function codeOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, CODE_LENGTH);
}
