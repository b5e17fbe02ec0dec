/** The build of `npm start` makes what the compiler makes; and what the tools take is said as it is. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { transformSync } from "esbuild";
import { expect, test } from "vitest";
import { everyMachineGets, lockedIn } from "../../setup/lockfile.mjs";
import { ALL_MB } from "../../setup/setup.mjs";
import { stripped } from "../../setup/strip.mjs";
import { ROOT } from "../pages.ts";
import { megabytesIn } from "./clone.ts";

/** They have `using`, which the compiler translates for older engines: no service loads them. */
const DISPOSES = ["conformance.ts", "share-conformance.ts"].map((file) => join("testing", file));

/** Without layout and comments, and without the mark of modules that are empty but for types. */
function essence(code: string): string {
  const { code: small } = transformSync(code, { minifyWhitespace: true, target: "es2024" });
  return small.replace(/export\s*\{\s*\};\n?$/, "");
}

test.each(["spillway", "server"])("it makes the compiler's modules: %s", (name) => {
  const folder = join(ROOT, "packages", name);
  const sources = readdirSync(join(folder, "src"), { recursive: true, encoding: "utf8" });
  const modules = sources.filter((file) => file.endsWith(".ts") && !DISPOSES.includes(file));
  expect(modules.length).toBeGreaterThan(100);
  for (const file of modules) {
    const own = essence(stripped(readFileSync(join(folder, "src", file), "utf8")));
    const compiled = readFileSync(join(folder, "dist", file.replace(/\.ts$/, ".js")), "utf8");
    expect(own, file).toBe(essence(compiled));
  }
});

test("what is said of the size of all tools holds", () => {
  const isInAnother = (path: string) => path.lastIndexOf("node_modules/") > 0;
  const sizes = everyMachineGets(lockedIn(ROOT))
    .filter((path) => !isInAnother(path) && lockedIn(ROOT)[path]?.link !== true)
    .map((path) => megabytesIn(join(ROOT, path)));
  const size = sizes.reduce((all, one) => all + one, 0);
  // What only this machine has, such as a native compiler, is not among them.
  expect(ALL_MB / size).toBeGreaterThan(1);
  expect(ALL_MB / size).toBeLessThan(1.5);
});
