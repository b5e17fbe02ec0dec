import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { runQuietly } from "./child.mjs";
import { MODULES, NODE, ON_WINDOWS, ROOT, TOOLS } from "./places.mjs";

/**
 * Makes a fresh clone ready: installs what is missing, builds what has changed.
 *
 * Plain JavaScript on Node's own modules, because it runs before anything is installed and on
 * whatever Node the machine has. Ends the process if a step fails.
 */
export async function setup() {
  if (!isInstalled()) await install();
  await build();
}

/**
 * Whether `node_modules` holds what the lockfile says, by npm's own record of what it put there.
 *
 * Compared by content, so that a package.json whose scripts or exports change costs no install,
 * and an `npm ci` or `npm install` done by hand counts. What is optional depends on the machine.
 */
function isInstalled() {
  const record = join(MODULES, ".package-lock.json");
  if (!existsSync(NODE) || !existsSync(record)) return false;
  const installed = packagesIn(record);
  return Object.entries(packagesIn(join(ROOT, "package-lock.json")))
    .filter(([path, entry]) => path.includes("node_modules/") && !entry.optional)
    .every(([path, entry]) => installed[path] && installed[path].version === entry.version);
}

function packagesIn(lockfile) {
  return JSON.parse(readFileSync(lockfile, "utf8")).packages;
}

async function install() {
  if (ON_WINDOWS && process.execPath.startsWith(MODULES)) {
    fail(
      "The dependencies have changed. Windows can't replace a running node: run `npm ci` first.",
    );
  }
  console.log("Installing dependencies…");
  // With NODE_ENV=production npm would leave out the tools.
  await runQuietly({ name: "npm ci", command: "npm ci --include=dev" });
  if (existsSync(NODE)) return;
  fail("npm left out Node 24: the install script of the package `node` must be allowed to run.");
}

function fail(message) {
  console.error(message);
  process.exit(1);
}

async function build() {
  const missing = packageFolders().filter((folder) => !existsSync(join(folder, "dist")));
  // The compiler trusts its notes: with them in place it would not notice that dist is gone.
  for (const folder of missing) rmSync(join(folder, "tsconfig.tsbuildinfo"), { force: true });
  if (missing.length > 0) console.log("Building…");
  await runQuietly({ name: "build", command: NODE, args: [TOOLS.tsc, "-b"] });
}

function packageFolders() {
  return readdirSync(join(ROOT, "packages")).map((name) => join(ROOT, "packages", name));
}
