/**
 * `npm run release:check -- v0.1.0`: says what keeps a version from being released, and fails if anything does.
 *
 * Without a tag it checks the rest. Plain JavaScript: the workflow runs it before an install.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../setup/places.mjs";
import { reasonsAgainst } from "./ready.mjs";

const SERVER = "packages/server/package.json";
const PACKAGES = ["packages/spillway/package.json", SERVER];

const read = (path) => readFileSync(join(ROOT, path), "utf8");
const listed = execFileSync("git", ["ls-files"], { cwd: ROOT, encoding: "utf8" }).trim();
const paths = listed.split("\n").filter((path) => existsSync(join(ROOT, path)));
const reasons = reasonsAgainst({
  tag: process.argv[2],
  texts: new Map(paths.map((path) => [path, read(path)])),
  manifests: Object.fromEntries(PACKAGES.map((path) => [path, JSON.parse(read(path))])),
  server: SERVER,
});
for (const reason of reasons) console.error(`✗ ${reason}`);
if (reasons.length === 0) console.log("✓ ready to be released");
process.exitCode = reasons.length === 0 ? 0 : 1;
