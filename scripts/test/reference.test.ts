/** The reference pages are what the docstrings say. */
import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { referencePages } from "../reference/pages.ts";
import { read } from "./pages.ts";

const FOLDER = "docs/reference";

test("the reference is made of the docstrings: after a change, `npm run reference`", async () => {
  const made = await referencePages();
  expect(readdirSync(FOLDER).toSorted()).toEqual([...made.keys()].toSorted());
  for (const [name, text] of made) expect(read(`${FOLDER}/${name}`), name).toBe(text);
});
