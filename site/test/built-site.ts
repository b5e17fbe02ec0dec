/** The site, built for tests. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { ROOT } from "../../scripts/setup/places.mjs";

const run = promisify(execFile);

/** Builds the site, if it is not that of the present files; the first time installs its packages. */
export async function buildForTests(): Promise<void> {
  await run(process.execPath, [join(ROOT, "site", "main.ts"), "--if-changed"], { cwd: ROOT });
}
