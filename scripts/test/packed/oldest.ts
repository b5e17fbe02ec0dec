/** The oldest Node and TypeScript promised, which are installed when this is imported. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { installBeside } from "../../setup/beside.ts";
import { ROOT } from "../pages.ts";

await installBeside("scripts/oldest", "the oldest Node and TypeScript promised, 210 MB");

/** Programs that tests run on the oldest Node. */
export const OLDEST = join(ROOT, "scripts", "oldest");

export const OLDEST_MODULES = join(OLDEST, "node_modules");

/** The oldest Node; undefined where npm has none for this machine, as for Linux on ARM. */
export const OLDEST_NODE = [join(OLDEST_MODULES, "node", "bin", "node")].find(existsSync);
