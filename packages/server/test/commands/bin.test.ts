/** The program says why it can't run, where its packages could not be loaded. */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { temporaryDirectory } from "../support/temporary.ts";

const BIN = fileURLToPath(new URL("../../bin", import.meta.url));

/** What the program says in a package of its own, for a Node from this version on. */
function saidFor(node: string, { isBuilt = false } = {}): readonly unknown[] {
  const folder = temporaryDirectory();
  cpSync(BIN, join(folder, "bin"), { recursive: true });
  writeFileSync(
    join(folder, "package.json"),
    JSON.stringify({ type: "module", engines: { node } }),
  );
  if (isBuilt) {
    mkdirSync(join(folder, "dist", "commands"), { recursive: true });
    writeFileSync(
      join(folder, "dist", "commands", "main.js"),
      "export const main = (argv) => console.log(argv.at(-1));",
    );
  }
  const run = spawnSync(process.execPath, [join(folder, "bin", "spillway.js"), "it runs"]);
  return [run.status, `${run.stderr}`, `${run.stdout}`];
}

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

it.each([`>=${major + 1}`, `>=${major}.${minor + 1}`])("needs Node %s", (node) => {
  const said = `spillway needs Node ${node.slice(2)} or newer, and this is ${process.versions.node}. `;
  expect(saidFor(node, { isBuilt: true })).toEqual([1, expect.stringContaining(said), ""]);
});

it("is to be built in a clone", () => {
  const said =
    "spillway is not built: in a clone, run `npm run spillway --` in place of `spillway`\n";
  expect(saidFor(`>=${major}`)).toEqual([1, said, ""]);
});

it.each([`>=${major}`, `>=${major}.${minor}`, ">=8.99"])("runs where it may: %s", (node) => {
  expect(saidFor(node, { isBuilt: true })).toEqual([0, "", "it runs\n"]);
});
