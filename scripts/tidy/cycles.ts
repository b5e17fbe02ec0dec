/** No file imports itself by a detour, for its types either: what refers to each other is one subject, and one file. */
import type { Check, Finding } from "./finding.ts";
import { resolve } from "./resolve.ts";
import { modulesIn } from "./syntax.ts";

type Edge = { readonly to: string; readonly line: number };
type Graph = ReadonlyMap<string, readonly Edge[]>;

export const cycles: Check = (tree) => {
  const graph: Graph = new Map(
    modulesIn(tree).map(([file, { imports }]) => [
      file,
      imports.map((each) => ({ to: resolve(file, each) ?? "", line: each.line })),
    ]),
  );
  const done = new Set<string>();
  return [...graph.keys()].flatMap((file) => search({ graph, done, trail: [file] }));
};

type Search = {
  readonly graph: Graph;
  /** Files from which every way has been followed to its end. */
  readonly done: Set<string>;
  readonly trail: readonly string[];
};

function search({ graph, done, trail }: Search): Finding[] {
  const file = trail.at(-1) ?? "";
  if (done.has(file)) return [];
  const findings = (graph.get(file) ?? []).flatMap(({ to, line }) => {
    const start = trail.indexOf(to);
    if (start < 0) return search({ graph, done, trail: [...trail, to] });
    const found = `a cycle: ${[...trail.slice(start), to].join(" → ")}`;
    return [{ file, line, found, expected: "imports that lead one way" }];
  });
  done.add(file);
  return findings;
}
