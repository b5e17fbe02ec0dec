/** The packages as users get them: whole, readable by their tools, and true to what they say. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ROOT } from "../pages.ts";
import { PACKAGES, type Packed } from "./packed.ts";
import { run } from "./run.ts";

const LINTERS = {
  publint: ["publint", "src", "cli.js"],
  attw: ["@arethetypeswrong", "cli", "dist", "index.js"],
} as const;

export function contentTests(packed: () => Packed): void {
  describe.each(PACKAGES)("%s", (name) => {
    test.each(["publint", "attw"] as const)("%s finds nothing", (linter) => {
      const script = join(ROOT, "node_modules", ...LINTERS[linter]);
      const env = { ...process.env, NO_COLOR: "1" };
      const args = [script, packed().tarball(name)];
      const { stdout, status } = run(process.execPath, args, { env });
      expect(stdout).toMatch(/All good!|No problems found/);
      expect(status).toBe(0);
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
