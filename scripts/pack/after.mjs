/** After it: builds anew, module by module, as everything else in the repository expects it. */
import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { TOOLS } from "../setup/places.mjs";

rmSync("dist", { recursive: true });
rmSync("tsconfig.tsbuildinfo", { force: true });
execFileSync(process.execPath, [TOOLS.tsc, "-b"], { stdio: "inherit" });
