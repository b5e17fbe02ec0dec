/** What each tarball may have: whatever else npm packs is a mistake. */
import { LIBRARY, SERVER } from "../../names.mjs";

/** npm adds the first three by itself. `types/package.json` has compilers read the types as modules. */
const BOTH = [
  /^package\.json$/,
  /^README\.md$/,
  /^LICENSE$/,
  /^dist\/(?:[\w-]+\/)*[\w-]+\.js$/,
  /^types\/package\.json$/,
  /^types\/(?:[\w-]+\/)*[\w.-]+\.d\.m?ts$/,
  /^entries\/(?:[\w-]+\/)*[\w-]+\.cjs$/,
  /^entries\/(?:[\w-]+\/)*[\w-]+\.d\.mts$/,
];

const PACK_LISTS: Readonly<Record<string, readonly RegExp[]>> = {
  [LIBRARY]: BOTH,
  [SERVER]: [...BOTH, /^bin\/spillway\.js$/, /^proto\/[\w-]+\.proto$/],
};

/** A folder of tests, a fixture, or a test's file: nobody runs these from a package. */
const NEVER = /(?:^|\/)(?:tests?|fixtures|node_modules)\/|\.test\.|^types\/types\//;

/** Returns the files of a package that its list lacks, and the patterns that none of its files has. Pure. */
export function differences(name: string, files: readonly string[]) {
  const patterns = PACK_LISTS[name] ?? [];
  return {
    unexpected: files.filter(
      (file) => NEVER.test(file) || !patterns.some((pattern) => pattern.test(file)),
    ),
    missing: patterns.filter((pattern) => !files.some((file) => pattern.test(file))),
  };
}
