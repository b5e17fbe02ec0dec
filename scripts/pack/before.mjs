/** Before `npm pack` and `npm publish`: builds the package in this folder, and joins its modules. */
import { execFileSync } from "node:child_process";
import { TOOLS } from "../setup/places.mjs";
import { join } from "./join.mjs";

execFileSync(process.execPath, [TOOLS.tsc, "-b"], { stdio: "inherit" });
await join(process.cwd());
