/** The library runs wherever JavaScript does: nothing in it belongs to Node alone. */
import type { Check } from "./finding.ts";
import { modulesIn } from "./syntax.ts";

const OF_NODE = new Set(["Buffer", "__dirname", "__filename", "global", "process", "require"]);

export const portable: Check = (tree) =>
  modulesIn(tree, /^packages\/spillway\/src\//).flatMap(([file, { names }]) =>
    names
      .filter(({ name }) => OF_NODE.has(name))
      .map(({ name, line }) => ({
        file,
        line,
        found: name,
        expected: "code that runs in browsers and edge workers too",
      })),
  );
