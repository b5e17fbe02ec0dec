/** Texts that are not to be anywhere, and links that lead nowhere. */
import { describe, expect, test } from "vitest";
import { forbiddenText } from "../../tidy/forbidden-text.ts";
import { hooks } from "../../tidy/hooks.ts";
import { indexPage } from "../../tidy/index-page.ts";
import { lengths } from "../../tidy/lengths.ts";
import { links } from "../../tidy/links.ts";
import { lockfile } from "../../tidy/lockfile.ts";
import { words } from "../../tidy/words.ts";
import { findings, SRC } from "./findings.ts";

describe("text that belongs to one machine", () => {
  // Put together here, so that this file holds none.
  const host = ["registry", "npmjs", "org"].join(".");
  const address = `"${"resolved"}": "https://example.com/a.tgz"`;
  const path = ["", "home", "ann", "spillway"].join("/");

  test.each([host, address, path])("%s is found", (text) => {
    expect(findings(forbiddenText, { "docs/a.md": `first\nsee ${text}` })).toEqual([
      expect.stringContaining(`docs/a.md:2  found ${text.slice(0, 20)}`),
    ]);
  });

  test.each([
    `"resolved": "packages/server"`,
    `https://example.com${path}`,
    "a registry.get(name) call",
  ])("%s is not", (text) => {
    expect(findings(forbiddenText, { "docs/a.md": text })).toEqual([]);
  });
});

describe("a file", () => {
  test("is short", () => {
    const lines = (count: number) => "x;\n".repeat(count);
    expect(findings(lengths, { [`${SRC}/core/log.ts`]: lines(350) })).toEqual([]);
    expect(findings(lengths, { [`${SRC}/core/log.ts`]: lines(351) })).toEqual([
      `${SRC}/core/log.ts:351  found 351 lines, expected at most 350: two subjects are two files`,
    ]);
  });
});

describe("a hook of the test runner", () => {
  const hook = "afterEach(() => close());\n";

  test("is found at the top of a module that several files of tests load", () => {
    expect(
      findings(hooks, { "packages/server/test/at-end.ts": `const open = [];\n${hook}` }),
    ).toEqual([
      expect.stringContaining("packages/server/test/at-end.ts:2  found afterEach(, expected"),
    ]);
  });

  test("is not, in a file of tests or in a function", () => {
    const within = `export function scene() {\n  ${hook}}\n`;
    expect(findings(hooks, { "a/b.test.ts": hook, "a/b.ts": within })).toEqual([]);
  });
});

describe("links", () => {
  const page = (text: string) =>
    findings(links, {
      "docs/a.md": text,
      "docs/stores/b.md": '# The `b` store\n## More\n## More\n<a id="made-1"></a>',
      LICENSE: "",
    });

  test.each([
    "[b](stores/b.md)",
    "[b](./stores/b.md#the-b-store)",
    "[b](stores/b.md#more-1)",
    "[all](stores/) [root](/LICENSE)",
    "# Here\n[here](#here)",
    "[x](stores/b.md#made-1)",
    "[away](https://example.com/a) [mail](mailto:a@example.com)",
    "`[b](c.md)`",
    "```md\n[b](c.md)\n```",
  ])("%s leads somewhere", (text) => {
    expect(page(text)).toEqual([]);
  });

  test.each([
    ["c.md", "see\n[c](c.md)"],
    ["c.md", "see\n[c]: c.md"],
    ["logo.svg", `see\n<img src="logo.svg">`],
    ["stores/b.md#less", "see\n[b](stores/b.md#less)"],
  ])("%s does not, in %j", (target, text) => {
    expect(page(text)).toEqual([
      expect.stringContaining(`docs/a.md:2  found a link to ${target}, expected a`),
    ]);
  });
});

describe("the index of the pages", () => {
  const files = {
    "docs/README.md": "[a](a.md), [kinds](kinds/README.md#which), [b](stores/b.md)",
    "docs/a.md": "",
    "docs/kinds/README.md": "[bucket](bucket.md)",
    "docs/kinds/bucket.md": "",
    "docs/stores/b.md": "",
  };

  test("lists a page, or the README of its folder does", () => {
    expect(findings(indexPage, files)).toEqual([]);
  });

  test.each([
    ["docs/c.md", "a link in docs/README.md"],
    ["docs/kinds/window.md", "a link in docs/README.md or docs/kinds/README.md"],
  ])("misses %s", (page, expected) => {
    expect(findings(indexPage, { ...files, [page]: "" })).toEqual([
      `${page}:1  found a page that no index lists, expected ${expected}`,
    ]);
  });
});

describe("words that have gone", () => {
  test.each([
    ["docs/a.md", "first\n50 ms unless\u0020said", '"Default: …", or "by default"'],
    [
      "packages/spillway/src/limits/core/log.ts",
      "\n// It goes unsee\u006e.",
      "what is not noticed, by what",
    ],
  ])("are found in %s", (file, text, say) => {
    expect(findings(words, { [file]: text })).toEqual([
      expect.stringMatching(new RegExp(`^${file}:2 .*expected ${say}$`)),
    ]);
  });

  test("are not looked for in other files", () => {
    expect(findings(words, { "docs/a.svg": "unless\u0020said" })).toEqual([]);
  });
});

describe("the lockfile", () => {
  const locked = (packages: object) =>
    findings(lockfile, { "package-lock.json": JSON.stringify({ packages }, undefined, 2) });

  test("is whole", () => {
    const biome = { optionalDependencies: { "@biome/linux": "1", "@biome/darwin": "1" } };
    const all = { "node_modules/biome": biome, "node_modules/@biome/linux": {} };
    expect(locked({ ...all, "node_modules/a/node_modules/@biome/darwin": {} })).toEqual([]);
    expect(locked(all)).toEqual([
      expect.stringContaining(
        "package-lock.json:3  found node_modules/biome needing @biome/darwin, which has no entry",
      ),
    ]);
  });
});
