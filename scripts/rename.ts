/**
 * `npm run rename -- @acme/spillway @acme/spillway-server`: gives the packages other names.
 *
 * Changes imports, manifests, pages and examples. The command `spillway`, schemas, prefixes and folders keep theirs.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { mistakeIn } from "./rename/names.ts";
import { changed, PRESENT, texts } from "./rename/tree.ts";
import { ROOT } from "./setup/places.mjs";

const [library, server] = process.argv.slice(2);
if (library === undefined || server === undefined) {
  console.error("Name both packages: npm run rename -- @acme/spillway @acme/spillway-server");
  process.exit(2);
}
const to = { library, server };
const mistake = mistakeIn(to);
if (mistake !== undefined) {
  console.error(`✗ ${mistake}. Nothing was changed.`);
  process.exit(1);
}
const found = changed(texts(), { from: PRESENT, to });
for (const [path, text] of found) writeFileSync(join(ROOT, path), text);
console.log(`Changed ${found.size} files. Then run, in this order:
npm install --package-lock-only && npm ci && npm run reference && npm run api && npm run format && npm test`);
