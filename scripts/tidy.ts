/**
 * The structure test: what types and linters can't see, checked over the whole repository.
 *
 * Reports everything that it finds at once. Each check is a file of `scripts/tidy/`. `npm run tidy` also prints the
 * numbers of the house, and keeps those that have fallen as the most that they may be from now on; with `-- --messages` it
 * also prints what library and service say to people.
 */
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { checks } from "./tidy/checks.ts";
import { describe } from "./tidy/finding.ts";
import { listMessages } from "./tidy/messages.ts";
import { LIMITS, lowered, table } from "./tidy/numbers.ts";
import { readTree } from "./tidy/tree.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const tree = readTree(root);
const findings = checks.flatMap((check) => check(tree));
for (const finding of findings) console.log(describe(finding));
console.log(`${findings.length} findings in ${tree.size} files`);
process.exitCode = findings.length === 0 ? 0 : 1;
if (process.argv.includes("--numbers")) {
  console.log(table(tree));
  writeFileSync(root + LIMITS, lowered(tree));
}
if (process.argv.includes("--messages")) console.log(listMessages(tree));
