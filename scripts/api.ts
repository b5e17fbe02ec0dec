/**
 * `npm run api`: writes into `api` a report for each import of the packages, of what it exports. A test compares
 * the two, and that the changelog names what differs from the last release.
 *
 * `npm run api -- --release` also records the present exports as those of the version in `package.json`.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { surfaceOf, writeReleased } from "./api/released.ts";
import { apiReports, REPORTS } from "./api/reports.ts";
import { LIBRARY } from "./reference/subpaths.ts";

const reports = await apiReports();
mkdirSync(REPORTS, { recursive: true });
for (const file of readdirSync(REPORTS)) {
  if (file.endsWith(".api.md") && !reports.has(file)) rmSync(join(REPORTS, file));
}
for (const [file, text] of reports) writeFileSync(join(REPORTS, file), text);
if (process.argv.includes("--release")) {
  const { version } = JSON.parse(readFileSync(join(LIBRARY, "package.json"), "utf8"));
  writeReleased({ version, names: surfaceOf(reports) });
}
