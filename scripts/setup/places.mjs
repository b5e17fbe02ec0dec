import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const ON_WINDOWS = process.platform === "win32";

/** The repository. */
export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

export const MODULES = join(ROOT, "node_modules");

/** Where npm's package `node` is run from, in the folder that it is installed in. */
export function nodeIn(folder) {
  return join(folder, "node_modules", "node", "bin", ON_WINDOWS ? "node.exe" : "node");
}

/** The Node that runs everything after the setup; the machine's own may be older. */
export const NODE = nodeIn(ROOT);

/** Tools, as scripts for `NODE`: that works the same on every system. */
export const TOOLS = {
  tsc: join(MODULES, "typescript", "bin", "tsc"),
  biome: join(MODULES, "@biomejs", "biome", "bin", "biome"),
  vitest: join(MODULES, "vitest", "vitest.mjs"),
};
