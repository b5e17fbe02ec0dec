/** A report for each import of the packages: what it exports, without prose, as API Extractor writes it. */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { LIBRARY, SERVER } from "../names.mjs";
import { LIBRARY as FOLDER, subpaths } from "../reference/subpaths.ts";
import { installBeside } from "../setup/beside.ts";
import { ROOT } from "../setup/places.mjs";
import { withoutProse, withoutRepeats } from "./declarations.ts";

/** Where the reports are. */
export const REPORTS = join(ROOT, "api");

/** One import, such as `spillway/redis`. */
export type Entry = {
  readonly name: string;
  /** The same where packages may get other names: `./redis`, or `server`. */
  readonly key: string;
  /** Its types from the package's folder, such as `types/stores/redis/index.d.ts`. */
  readonly declarations: string;
  /** The report's file in `api`, such as `redis.api.md`. */
  readonly report: string;
};

type Package = {
  readonly folder: string;
  /** The packages of types that a program has to have. */
  readonly types: readonly string[];
  readonly entries: readonly Entry[];
};

const SERVICE = "server";

const PACKAGES: readonly Package[] = [
  {
    folder: FOLDER,
    types: [],
    entries: subpaths().map(({ name, source, page }) => ({
      name,
      key: `.${name.slice(LIBRARY.length)}`,
      declarations: source.replace(/^src/, "types").replace(/\.ts$/, ".d.ts"),
      report: page.replace(/\.md$/, ".api.md"),
    })),
  },
  {
    folder: join(ROOT, "packages", "server"),
    types: ["node"],
    entries: [
      {
        name: SERVER,
        key: SERVICE,
        declarations: "types/index.d.ts",
        report: "server.api.md",
      },
    ],
  },
];

/** Every import of both packages. */
export const ENTRIES: readonly Entry[] = PACKAGES.flatMap(({ entries }) => entries);

/** What a program imports, by a key. */
export function importOf(key: string): string {
  return key === SERVICE ? SERVER : `${LIBRARY}${key.slice(1)}`;
}

/** Texts by the names of their files, made of the types that were built last. */
export async function apiReports(): Promise<ReadonlyMap<string, string>> {
  await installBeside("scripts/api", "API Extractor, for the API reports, 50 MB");
  const into = mkdtempSync(join(tmpdir(), "spillway-api-"));
  try {
    await Promise.all(PACKAGES.map((one) => extract(one, into)));
    const read = (file: string) => withoutProse(readFileSync(join(into, file), "utf8"));
    return withoutRepeats(new Map(ENTRIES.map(({ report }) => [report, read(report)])));
  } finally {
    rmSync(into, { recursive: true });
  }
}

async function extract(plan: Package, into: string): Promise<void> {
  const file = join(into, `${plan.entries[0]?.report}.json`);
  writeFileSync(file, JSON.stringify({ ...plan, into }));
  await promisify(execFile)(process.execPath, [join(ROOT, "scripts/api/extract.mjs"), file]);
}
