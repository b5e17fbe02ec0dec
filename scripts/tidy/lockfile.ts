/**
 * The lockfile holds every package that its packages name, for every system.
 *
 * npm leaves out optional ones that it could not find, and then `npm ci` refuses, everywhere.
 */
import type { Check } from "./finding.ts";
import { lineOf } from "./tree.ts";

const LOCKFILE = "package-lock.json";

type Entry = {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
};

export const lockfile: Check = (tree) => {
  const text = tree.get(LOCKFILE) ?? "{}";
  const packages: Record<string, Entry> = JSON.parse(text).packages ?? {};
  const present = new Set(Object.keys(packages).map((path) => path.split("node_modules/").at(-1)));
  return Object.entries(packages).flatMap(([path, { dependencies, optionalDependencies }]) =>
    Object.keys({ ...dependencies, ...optionalDependencies })
      .filter((name) => !present.has(name))
      .map((name) => ({
        file: LOCKFILE,
        line: lineOf(text, `"${path}": {`),
        found: `${path || "the root"} needing ${name}, which has no entry`,
        expected: "a whole lockfile (`npm install` with a version whose parts all exist)",
      })),
  );
};
