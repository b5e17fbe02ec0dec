/** The files of the repository that a page may lead to, and their texts. */

import { ROOT } from "../../scripts/setup/places.mjs";
import { readTree, type Tree } from "../../scripts/tidy/tree.ts";

export type { Tree };

/** Reads the repository: text by path, relative to its root. */
export function readRepository(): Tree {
  return readTree(ROOT);
}
