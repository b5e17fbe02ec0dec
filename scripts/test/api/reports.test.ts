/** The API reports are what is built, and the changelog names what differs from the last release. */
import { readdirSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import { changesBetween, differences } from "../../api/changes.ts";
import { byImport, readReleased, surfaceOf } from "../../api/released.ts";
import { apiReports } from "../../api/reports.ts";
import { sectionOf } from "../../release/ready.mjs";
import { read } from "../pages.ts";

let made: ReadonlyMap<string, string>;

beforeAll(async () => {
  made = await apiReports();
});

test("the reports are made of the types: after a change, `npm run api`", () => {
  const there = readdirSync("api").filter((file) => file.endsWith(".api.md"));
  expect(there.toSorted()).toEqual([...made.keys()].toSorted());
  for (const [name, text] of made) expect(read(`api/${name}`), name).toBe(text);
});

test('CHANGELOG.md has a line under "## Unreleased" for each export that is not as released', () => {
  const released = readReleased();
  const changes = changesBetween(byImport(released.names), byImport(surfaceOf(made)));
  const found = differences(changes, sectionOf(read("CHANGELOG.md"), "Unreleased") ?? "");
  const why = `these exports differ from ${released.version}: write each line, with the reason`;
  expect(found.unnamed, why).toEqual([]);
  expect(found.untrue, "these exports are as released: remove the lines").toEqual([]);
});
