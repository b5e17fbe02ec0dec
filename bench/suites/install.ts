/** From a fresh clone to the first answer: seconds, packages and bytes, with nothing in npm's cache. */
import { execFile } from "node:child_process";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { isNewEnough } from "../../scripts/setup/serving.mjs";
import { type Visit, visit } from "../install/visitor.ts";
import { groupOf } from "../rows.ts";
import { interleave } from "../run.ts";
import type { Group, Suite } from "./suite.ts";

const run = promisify(execFile);
const ROUNDS = 3;

const UNITS: Readonly<Record<keyof Visit, string>> = {
  seconds: "s to the first answer",
  packages: "packages",
  megabytes: "MB installed",
};

export const install: Suite = async (progress) => {
  const nodes = [{ name: `Node ${process.versions.node}`, path: dirname(process.execPath) }];
  const other = await machinesNode();
  if (other !== undefined && !isNewEnough(other.version)) {
    nodes.push({ name: `Node ${other.version}, too old`, path: dirname(other.path) });
  }
  const contestants = nodes.map(({ name, path }) => ({ name, measure: () => visit(path) }));
  const title = "npm start in a fresh clone, empty cache";
  const measured = await interleave(contestants, { title, rounds: ROUNDS, progress });
  return Object.entries(UNITS).map(
    ([figure, unit]): Group => groupOf(`${title}: ${unit}`, measured, { figure, unit }),
  );
};

/** The Node of the machine itself: npm puts the clone's own before it. */
async function machinesNode(): Promise<{ path: string; version: string } | undefined> {
  const folders = (process.env.PATH ?? "").split(":");
  const PATH = folders.filter((folder) => !folder.includes("node_modules")).join(":");
  try {
    const args = ["-c", 'command -v node && "$(command -v node)" -v'];
    const { stdout } = await run("sh", args, { env: { ...process.env, PATH } });
    const [path = "", version = ""] = stdout.trim().split("\n");
    return { path, version: version.replace(/^v/, "") };
  } catch {
    return undefined; // there is none, or no such shell
  }
}
