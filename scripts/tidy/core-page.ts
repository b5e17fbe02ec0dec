/** Whatever `spillway/core` exports its page names: what nobody outside needs goes to `internal/`. */
import type { Check } from "./finding.ts";
import { lineOf } from "./tree.ts";

const EXPORTED = "packages/spillway/src/limits/core/public.ts";
const PAGE = "docs/core.md";

export const corePage: Check = (tree) => {
  const index = tree.get(EXPORTED) ?? "";
  const named = new Set((tree.get(PAGE) ?? "").match(/\w+/g));
  return exportedBy(index)
    .filter((name) => !named.has(name))
    .map((name) => ({
      file: EXPORTED,
      line: lineOf(index, name),
      found: `an export of ${name}`,
      expected: `a word on it in ${PAGE}, or it in index.ts, for the library alone`,
    }));
};

function exportedBy(index: string): readonly string[] {
  return [...index.matchAll(/^export (?:type )?\{([^}]+)\}/gm)]
    .flatMap(([, names = ""]) => names.split(","))
    .map((name) => name.trim().replace(/^type /, ""))
    .filter((name) => name !== "");
}
