/** The packages as users get them: whole, readable by their tools, and true to what they say. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { LIBRARY } from "../../names.mjs";
import { subpaths } from "../../reference/subpaths.ts";
import { ROOT } from "../pages.ts";
import { differences } from "./pack-list.ts";
import { PACKAGES, type Packed } from "./packed.ts";
import { run } from "./run.ts";
import { BUDGETS, tooHeavy, weightsOf } from "./sizes.ts";

const LINTERS = {
  publint: ["publint", "src", "cli.js"],
  attw: ["@arethetypeswrong", "cli", "dist", "index.js"],
} as const;

/** The modules that one reads when it is imported, itself included, by their paths. */
function modulesOf(file: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(file)) return found;
  found.add(file);
  const imports = readFileSync(file, "utf8").matchAll(/(?:from|^import) "(\.[^"]+)"/gm);
  for (const [, path = ""] of imports) modulesOf(join(file, "..", path), found);
  return found;
}

export function contentTests(packed: () => Packed): void {
  test.each([
    "index.js",
    "limiter/small/index.js",
    "stores/memory/public.js",
    "stores/redis/index.js",
    "stores/postgres/index.js",
    "stores/sqlite/index.js",
  ])("an import of spillway's %j reads few files", (entry) => {
    const folder = packed().contents(LIBRARY);
    const modules = modulesOf(join(folder, "dist", entry));
    expect(modules.size).toBeLessThanOrEqual(10);
  });

  test("every subpath of spillway keeps its budget in a bundle", async () => {
    const every = subpaths().map(({ name }) => `export * from "${name}"`);
    expect(every.filter((contents) => BUDGETS[contents] === undefined)).toEqual([]);
    const weights = await weightsOf(Object.keys(BUDGETS), packed().folder);
    for (const [contents, bytes] of weights) console.log(`${contents}: ${bytes} bytes gzipped`);
    expect(tooHeavy(weights, BUDGETS)).toEqual([]);
    const halves = Object.fromEntries(
      [...weights].map(([contents, bytes]) => [contents, bytes / 2]),
    );
    expect(tooHeavy(weights, halves)).toHaveLength(weights.size);
  });

  test.each(["index.js", "limiter/small/index.js"])(
    "an import of spillway's %j reads two files, and no more than it needs",
    (entry) => {
      const folder = packed().contents(LIBRARY);
      const files = [...modulesOf(join(folder, "dist", entry))];
      expect(files).toHaveLength(2);
      const texts = files.map((file) => readFileSync(file, "utf8"));
      expect(texts.reduce((all, text) => all + text.length, 0)).toBeLessThanOrEqual(300_000);
      expect(texts.filter((text) => text.includes("class RedisExecutor"))).toEqual([]);
    },
  );

  test("an import of spillway leaves the runtime's hashing, which is slow to load, unloaded", () => {
    const program =
      "await import('spillway'); console.log(process.moduleLoadList.join().includes('crypto/hash'))";
    const args = ["--input-type=module", "-e", program];
    const { stdout } = run(process.execPath, args, { cwd: packed().folder });
    expect(stdout).toBe("false\n");
  });

  test("spillway has nothing twice, and no map without its sources", () => {
    const folder = packed().contents(LIBRARY);
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    expect(files.length).toBeLessThanOrEqual(500);
    const texts = files.map((file) => readFileSync(file, "utf8"));
    expect(texts.reduce((all, text) => all + text.length, 0)).toBeLessThanOrEqual(2.1e6);
    expect(files.filter((file) => /\.map$|(?<!\.d)\.ts$/.test(file))).toEqual([]);
    expect(files.filter((_, index) => texts[index]?.includes("\n//# sourceMappingURL"))).toEqual(
      [],
    );
  });

  test("a stack trace of spillway names its functions", () => {
    const program = "new (await import('spillway')).RateLimiter({ ask: { kind: 'none' } })";
    const args = ["--input-type=module", "-e", program];
    const { stderr } = run(process.execPath, args, { cwd: packed().folder });
    expect(stderr).toMatch(/at checkLimit \(.*node_modules.*\bdist\b.*\.js:\d+:\d+\)/);
  });

  describe.each(PACKAGES)("%s", (name) => {
    test.each(["publint", "attw"] as const)("%s finds nothing", (linter) => {
      const script = join(ROOT, "node_modules", ...LINTERS[linter]);
      const env = { ...process.env, NO_COLOR: "1" };
      const args = [script, packed().tarball(name)];
      const { stdout, status } = run(process.execPath, args, { env });
      expect(stdout).toMatch(/All good!|No problems found/);
      expect(status).toBe(0);
    });

    test("its tarball has what its list says, and nothing else", () => {
      const { stdout } = run("tar", ["-tzf", packed().tarball(name)]);
      const files = stdout
        .trim()
        .split(/\r?\n/)
        .map((path) => path.replace(/^package\//, ""));
      expect(differences(name, files)).toEqual({ unexpected: [], missing: [] });
      const more = ["src/index.ts", "dist/index.js.map", ".env", "types/types/index.d.ts"];
      expect(differences(name, [...files, ...more]).unexpected).toEqual(more);
    });

    test("its README points to nothing that is not in it", () => {
      const readme = readFileSync(join(packed().contents(name), "README.md"), "utf8");
      const pointers = [
        ...readme.matchAll(/\]\((?![a-z]+:)([^)#]+)|\b([\w./-]+\.(?:md|ts|svg))\b/g),
      ];
      const paths = pointers.map(([, link, file]) => link ?? file ?? "");
      expect(paths.filter((path) => !existsSync(join(packed().contents(name), path)))).toEqual([]);
    });
  });
}
