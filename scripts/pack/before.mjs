/**
 * Before `npm pack` and `npm publish`: builds the package in this folder, and joins its modules.
 *
 * Arguments are modules in `dist` that are loaded by their path, and so stay files of their own.
 */
import { execFileSync } from "node:child_process";
import { TOOLS } from "../setup/places.mjs";
import { join } from "./join.mjs";

execFileSync(process.execPath, [TOOLS.tsc, "-b"], { stdio: "inherit" });
await join(process.cwd(), process.argv.slice(2));
