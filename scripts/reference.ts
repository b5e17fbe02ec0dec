/**
 * `npm run reference`: writes the pages of `docs/reference` from the docstrings of what the library exports,
 * one page for each import. A test compares the two.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { referencePages } from "./reference/pages.ts";
import { ROOT } from "./setup/places.mjs";

/** Where the pages are. */
export const REFERENCE = join(ROOT, "docs", "reference");

if (import.meta.main) {
  mkdirSync(REFERENCE, { recursive: true });
  for (const [name, text] of await referencePages()) writeFileSync(join(REFERENCE, name), text);
}
