#!/usr/bin/env node
import { existsSync, readFileSync } from "node:fs";

/** Why the program can't run here, in a sentence; undefined if it can. */
function hindrance() {
  const { engines } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  const oldest = engines.node.replace(/[^\d.]/g, "");
  if (isBefore(process.versions.node, oldest)) {
    const found = process.versions.node;
    return `spillway needs Node ${oldest} or newer, and this is ${found}. In a clone, npm run spillway -- brings one`;
  }
  if (!existsSync(MAIN))
    return "spillway is not built: in a clone, run `npm run spillway --` in place of `spillway`";
  return undefined;
}

function isBefore(version, oldest) {
  const [major, minor] = version.split(".").map(Number);
  const [oldestMajor, oldestMinor = 0] = oldest.split(".").map(Number);
  return major === oldestMajor ? minor < oldestMinor : major < oldestMajor;
}

const MAIN = new URL("../dist/commands/main.js", import.meta.url);
const problem = hindrance();
if (problem === undefined) {
  const { main } = await import(MAIN.href);
  await main(process.argv);
} else {
  console.error(problem);
  process.exitCode = 1;
}
