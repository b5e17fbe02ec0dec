/** Any number of rules, which are all alike. */
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Rules of one file: of 10 000, one alone would have more tokens than a rule file may. */
const PER_FILE = 2000;

/** Files of one domain, with a rule for each of so many users; they differ from version to version. Pure. */
export function manyRules(count: number, version = 1): readonly string[] {
  const files: string[] = [];
  for (let first = 0; first < count; first += PER_FILE) {
    const users = Array.from({ length: Math.min(PER_FILE, count - first) }, (_, at) => first + at);
    files.push(["domain: bench", "descriptors:", ...users.map(ruleFor(version)), ""].join("\n"));
  }
  return files;
}

function ruleFor(version: number) {
  const limit = `{ unit: year, requests_per_unit: ${500_000_000 + version} }`;
  return (user: number) => `  - { key: user, value: user-${user}, rate_limit: ${limit} }`;
}

/** Writes files into a directory, each as a whole. */
export function writeRules(directory: string, files: readonly string[]): void {
  mkdirSync(directory, { recursive: true });
  for (const [index, text] of files.entries()) {
    const path = join(directory, `${index}.yaml`);
    writeFileSync(`${path}.new`, text);
    renameSync(`${path}.new`, path);
  }
}
