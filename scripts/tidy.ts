/**
 * The structure test: what types and linters can't see, checked over the whole repository.
 *
 * Reports everything that it finds at once. Each check is a file of `scripts/tidy/`.
 */
import { fileURLToPath } from "node:url";
import { checks } from "./tidy/checks.ts";
import { describe } from "./tidy/finding.ts";
import { readTree } from "./tidy/tree.ts";

const tree = readTree(fileURLToPath(new URL("..", import.meta.url)));
const findings = checks.flatMap((check) => check(tree));
for (const finding of findings) console.log(describe(finding));
console.log(`${findings.length} findings in ${tree.size} files`);
process.exitCode = findings.length === 0 ? 0 : 1;
