/** What keeps a version from being released, each with its place. */
import { describe, expect, test } from "vitest";
import { type Manifest, PLACEHOLDER, reasonsAgainst, sectionOf } from "../../release/ready.mjs";
import { ROOT } from "../../setup/places.mjs";
import { run } from "../packed/run.ts";

const LIBRARY = "packages/spillway/package.json";
const SERVER = "packages/server/package.json";

const filled = {
  version: "1.2.0",
  repository: { url: "git+https://example.org/dam.git" },
  bugs: { url: "https://example.org/dam/issues" },
};
const library: Manifest = { ...filled, name: "dam" };
const service: Manifest = { ...filled, name: "dam-service", dependencies: { dam: "^1.2.0" } };

const TEXTS = {
  "CHANGELOG.md": "# Changelog\n\n## Unreleased\n\n## 1.2.0\n\n- It flows.\n\n## 1.1.0\n\n- Old.\n",
  "api/released.json": '{ "version": "1.2.0", "names": {} }',
  "SECURITY.md": "# Security\n\nWrite to <mailto:dam@example.org>.\n",
};

type Change = {
  readonly tag?: string;
  readonly texts?: Readonly<Record<string, string>>;
  readonly library?: Partial<Manifest>;
  readonly service?: Partial<Manifest>;
};

function reasons(change: Change = {}): readonly string[] {
  return reasonsAgainst({
    tag: change.tag ?? "v1.2.0",
    texts: new Map(Object.entries({ ...TEXTS, ...change.texts })),
    manifests: {
      [LIBRARY]: { ...library, ...change.library },
      [SERVER]: { ...service, ...change.service },
    },
    server: SERVER,
  });
}

test("nothing keeps a version back whose places are filled in", () => {
  expect(reasons()).toEqual([]);
});

test.each<[string, Change]>([
  ["a/b.md:2: fill in", { texts: { "a/b.md": `one\nsee ${PLACEHOLDER}/x\n` } }],
  ["the tag is v1.3.0: expected v1.2.0", { tag: "v1.3.0" }],
  ["the tag is 1.2.0: expected v1.2.0", { tag: "1.2.0" }],
  [`${SERVER}: version is 1.1.0: expected 1.2.0`, { service: { version: "1.1.0" } }],
  [`${SERVER}: dependencies.dam is ^1.1.0`, { service: { dependencies: { dam: "^1.1.0" } } }],
  [`${LIBRARY}: repository.url is undefined`, { library: { repository: {} } }],
  [`${SERVER}: bugs.url is nowhere`, { service: { bugs: { url: "nowhere" } } }],
  ['CHANGELOG.md: no text under "## 1.2.0"', { texts: { "CHANGELOG.md": "## 1.2.0\n\n## 1\n" } }],
  ['CHANGELOG.md: no text under "## 1.2.0"', { texts: { "CHANGELOG.md": "## 1.2.0-rc.1\n\nx" } }],
  [
    "api/released.json: version is 1.1.0: expected 1.2.0",
    { texts: { "api/released.json": '{ "version": "1.1.0" }' } },
  ],
  ["api/released.json: version is undefined", { texts: { "api/released.json": "{}" } }],
  ["SECURITY.md: no address", { texts: { "SECURITY.md": "Write to us." } }],
])("%s…", (said, change) => {
  expect(reasons(change)).toEqual([expect.stringContaining(said)]);
});

describe("the section of a version", () => {
  test.each(["## 1.2.0", "## [1.2.0] - 2026-12-01", "## 1.2.0 (today)"])("%s", (heading) => {
    expect(sectionOf(`# C\n\n${heading}\n\n### A\n\n- b\n\n## 1.1.0\n`, "1.2.0")).toBe(
      "### A\n\n- b",
    );
  });
});

test("the command fails for another tag, and names the place", () => {
  const { status, stderr } = run("npm", ["run", "-s", "release:check", "--", "v0.0.0"], {
    cwd: ROOT,
    shell: process.platform === "win32",
  });
  expect(status).toBe(1);
  expect(stderr).toContain("the tag is v0.0.0: expected v");
});
