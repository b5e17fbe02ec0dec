/** The list of decisions has each page once, in the order of their numbers. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT, read } from "./pages.ts";

test("docs/decisions/README.md lists every page", () => {
  const files = readdirSync(join(ROOT, "docs/decisions")).filter((file) => /^\d/.test(file));
  const listed = read("docs/decisions/README.md").matchAll(/^\| \[(\d+)\]\((.*?)\) +\|/gm);
  expect([...listed].map(([, number, file]) => [Number(number), file])).toEqual(
    files.sort().map((file) => [Number.parseInt(file, 10), file]),
  );
});
