import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { runQuietly } from "./child.mjs";
import { everyMachineGets, holds, lockedIn } from "./lockfile.mjs";
import { npm } from "./npm.mjs";
import { MODULES, NODE, ON_WINDOWS, ROOT, TOOLS } from "./places.mjs";

/** What all of it takes on a disk, in MB: a test weighs it. */
export const ALL_MB = 890;

/**
 * Makes a fresh clone ready for everything: installs what is missing, builds what has changed.
 *
 * Plain JavaScript on Node's own modules, because it runs before anything is installed and on
 * whatever Node the machine has. Ends the process if a step fails.
 */
export async function setup() {
  if (!isInstalled()) await install();
  await build();
}

/**
 * Whether `node_modules` holds what the lockfile says: what `npm start` has installed is not enough.
 *
 * Compared by content, so that a package.json whose scripts or exports change costs no install,
 * and an `npm ci` or `npm install` done by hand counts.
 */
function isInstalled() {
  return existsSync(NODE) && holds(ROOT, everyMachineGets(lockedIn(ROOT)));
}

async function install() {
  if (ON_WINDOWS && process.execPath.startsWith(MODULES)) {
    fail(
      "The dependencies have changed. Windows can't replace a running node: run `npm ci` first.",
    );
  }
  const paths = everyMachineGets(lockedIn(ROOT));
  await npm({
    what: `tools, drivers and what is compared with, some ${paths.length} packages, ${ALL_MB} MB`,
    // With NODE_ENV=production npm would leave out the tools.
    command: "ci --include=dev",
    folder: ROOT,
    paths,
  });
  if (existsSync(NODE)) return;
  fail("npm left out Node 24: the install script of the package `node` must be allowed to run.");
}

function fail(message) {
  console.error(message);
  process.exit(1);
}

async function build() {
  const missing = packageFolders().filter((folder) => !isBuilt(folder));
  // The compiler trusts its notes: with them in place it would not notice that dist is gone.
  for (const folder of missing) rmSync(join(folder, "tsconfig.tsbuildinfo"), { force: true });
  if (missing.length > 0) console.log("Building…");
  await runQuietly({ name: "build", command: NODE, args: [TOOLS.tsc, "-b"] });
}

/** The build of `npm start` makes no types. */
function isBuilt(folder) {
  return existsSync(join(folder, "dist")) && existsSync(join(folder, "types"));
}

function packageFolders() {
  return readdirSync(join(ROOT, "packages")).map((name) => join(ROOT, "packages", name));
}
