/** One exported type name means one thing: a second file that declares it needs a name of its own. */
import type { Check, Finding } from "./finding.ts";
import { declaredTypes, type TypeDeclaration } from "./numbers/prose.ts";
import { MOST_SHARED, SHARED_NAMES, type SharedName } from "./shared-type-names.ts";
import { lineOf, type Tree } from "./tree.ts";

const SOURCES = /^packages\/[^/]+\/src\/.*\.ts$/;
const TABLE = "scripts/tidy/shared-type-names.ts";

export const typeNames: Check = checkTypeNames(SHARED_NAMES);

/** The check, with a table of exceptions. */
export function checkTypeNames(shared: readonly SharedName[]): Check {
  return (tree) => {
    const byName = Map.groupBy(declaredTypes(tree, SOURCES), ({ name }) => name);
    return [
      ...[...byName.values()].flatMap((all) => collisions(all, shared)),
      ...shared
        .filter(({ name }) => filesOf(byName.get(name) ?? []).length < 2)
        .map(({ name }) => inTable(tree, { name, expected: "it gone: one file declares it" })),
      ...shared
        .slice(MOST_SHARED)
        .map(({ name }) => inTable(tree, { name, expected: `at most ${MOST_SHARED} names` })),
    ];
  };
}

function filesOf(all: readonly TypeDeclaration[]): readonly string[] {
  return [...new Set(all.map(({ file }) => file))];
}

function collisions(all: readonly TypeDeclaration[], shared: readonly SharedName[]): Finding[] {
  const [first] = all;
  if (first === undefined || filesOf(all).length < 2) return [];
  if (shared.some(({ name }) => name === first.name)) return [];
  return all
    .filter(({ file }) => file !== first.file)
    .map(({ file, line, name }) => ({
      file,
      line,
      found: `another exported type ${name}`,
      expected: `a name of its own: ${first.file} declares one`,
    }));
}

type Misplaced = { readonly name: string; readonly expected: string };

function inTable(tree: Tree, { name, expected }: Misplaced): Finding {
  const line = lineOf(tree.get(TABLE) ?? "", `"${name}"`);
  return { file: TABLE, line, found: `the shared name ${name}`, expected };
}
