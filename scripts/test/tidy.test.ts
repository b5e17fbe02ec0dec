import { describe, expect, test } from "vitest";
import { ambient } from "../tidy/ambient.ts";
import { boundaries } from "../tidy/boundaries.ts";
import { corePage } from "../tidy/core-page.ts";
import { cycles } from "../tidy/cycles.ts";
import { errorCodes } from "../tidy/error-codes.ts";
import { exports } from "../tidy/exports.ts";
import { type Check, describe as lineOf } from "../tidy/finding.ts";
import { forbiddenText } from "../tidy/forbidden-text.ts";
import { indexPage } from "../tidy/index-page.ts";
import { lengths } from "../tidy/lengths.ts";
import { links } from "../tidy/links.ts";
import { lockfile } from "../tidy/lockfile.ts";
import { portable } from "../tidy/portable.ts";
import { staircase } from "../tidy/staircase.ts";
import { words } from "../tidy/words.ts";

const SRC = "packages/spillway/src";

type Files = Readonly<Record<string, string>>;

function findings(check: Check, files: Files): string[] {
  return check(new Map(Object.entries(files))).map(lineOf);
}

describe("the staircase", () => {
  const one = (file: string, from: string) =>
    findings(staircase, { [`${SRC}/${file}`]: `\nexport * from "${from}";` });

  test("leads down, to an index", () => {
    expect(one("limiter/key.ts", "../core/index.ts")).toEqual([]);
    expect(one("limiter/key.ts", "./sha256.ts")).toEqual([]);
    expect(one("stores/redis/index.ts", "../../algorithms/index.ts")).toEqual([]);
    expect(one("index.ts", "./stores/memory/index.ts")).toEqual([]);
  });

  test("does not lead up", () => {
    expect(one("core/clock.ts", "../limiter/index.ts")).toEqual([
      `${SRC}/core/clock.ts:2  found core importing ../limiter/index.ts, expected only what is below it: nothing`,
    ]);
    expect(one("algorithms/adopt.ts", "../index.ts")).toEqual([
      `${SRC}/algorithms/adopt.ts:2  found algorithms importing ../index.ts, expected only what is below it: core, internal`,
    ]);
  });

  test("does not lead from one store to another", () => {
    expect(one("stores/postgres/index.ts", "../redis/index.ts")).toEqual([
      `${SRC}/stores/postgres/index.ts:2  found stores/postgres importing ../redis/index.ts, expected only what is below it: core, internal, algorithms, telemetry, store, stores/memory, stores/postgres/clients`,
    ]);
  });

  test("does not lead through windows", () => {
    expect(one("limiter/key.ts", "../core/errors.ts")).toEqual([
      `${SRC}/limiter/key.ts:2  found limiter importing ../core/errors.ts, expected its index, core/index.ts`,
    ]);
  });

  test("leaves what is for tests out of the package's index", () => {
    expect(one("index.ts", "./testing/index.ts")).toEqual([
      `${SRC}/index.ts:2  found index.ts importing ./testing/index.ts, expected nothing of testing`,
    ]);
  });

  test("counts types, and the server's stairs", () => {
    const file = "packages/server/src/rules/units.ts";
    const source = `type Ask = import("../service/index.ts").Ask;`;
    expect(findings(staircase, { [file]: source })).toEqual([
      `${file}:1  found rules importing ../service/index.ts, expected only what is below it: error-codes.ts, request-error.ts`,
    ]);
  });

  test("has a place for every file", () => {
    expect(one("helpers/misc.ts", "./more.ts")).toEqual([
      expect.stringContaining(`${SRC}/helpers/misc.ts:1  found a file on no stair`),
    ]);
  });
});

describe("boundaries", () => {
  const manifest = `{ "dependencies": { "spillway": "1", "@fastify/swagger": "9" } }`;
  const inServer = (file: string, from: string) =>
    findings(boundaries, {
      "packages/server/package.json": manifest,
      [`packages/server/${file}`]: `import it from "${from}";`,
    });

  test("are crossed by name", () => {
    expect(inServer("src/transports/http.ts", "spillway/core")).toEqual([]);
    expect(inServer("src/transports/http.ts", "@fastify/swagger")).toEqual([]);
    expect(inServer("src/commands/serve.ts", "node:fs")).toEqual([]);
    expect(inServer("test/rules.test.ts", "../src/rules/index.ts")).toEqual([]);
  });

  test("are not crossed by path", () => {
    expect(inServer("test/a.test.ts", "../../spillway/src/index.ts")).toEqual([
      "packages/server/test/a.test.ts:1  found an import of ../../spillway/src/index.ts, expected the package packages/spillway by its name",
    ]);
    expect(
      findings(boundaries, { "bench/main.ts": `import "../packages/server/src/a.ts";` }),
    ).toEqual([
      "bench/main.ts:1  found an import of ../packages/server/src/a.ts, expected the package packages/server by its name",
    ]);
  });

  test("let in only what the manifest declares", () => {
    expect(inServer("src/transports/http.ts", "pino")).toEqual([
      "packages/server/src/transports/http.ts:1  found an import of pino, expected only dependencies of packages/server/package.json: spillway, @fastify/swagger",
    ]);
  });

  test("keep rules from reading and writing, and the library from Node", () => {
    expect(inServer("src/rules/rules.ts", "node:fs/promises")).toEqual([
      "packages/server/src/rules/rules.ts:1  found an import of node:fs/promises, expected rules to read and write nothing",
    ]);
    expect(findings(boundaries, { [`${SRC}/core/log.ts`]: `import "node:util";` })).toEqual([
      `${SRC}/core/log.ts:1  found an import of node:util, expected code that runs in browsers and edge workers too`,
    ]);
  });
});

describe("cycles", () => {
  test("are found once, with the way round", () => {
    const files = {
      "a.ts": `import "./b.ts";`,
      "b.ts": `\nexport { c } from "./c.ts";`,
      "c.ts": `import "./d.ts";\nawait import("./b.ts");`,
      "d.ts": "",
    };
    expect(findings(cycles, files)).toEqual([
      "c.ts:2  found a cycle: b.ts → c.ts → b.ts, expected imports that lead one way",
    ]);
  });

  test("of types are none", () => {
    const files = {
      "a.ts": `import type { B } from "./b.ts";`,
      "b.ts": `import { a } from "./a.ts";`,
    };
    expect(findings(cycles, files)).toEqual([]);
  });
});

describe("time and chance", () => {
  const inLimiter = (source: string) => findings(ambient, { [`${SRC}/limiter/key.ts`]: source });

  test("are named in the file that owns them", () => {
    expect(
      findings(ambient, { [`${SRC}/core/clock.ts`]: "export const now = () => Date.now();" }),
    ).toEqual([]);
  });

  test.each([
    ["Date.now", "const é = `${`é${" + "Date.now()}`}`;"],
    ["Date.now", "globalThis.Date.now()"],
    ["new Date()", "new Date()"],
    ["Math.random", "const { random = Math.random } = {};"],
    ["performance.now", "performance.now()"],
    ["setTimeout", "f({ setTimeout });"],
    ["setInterval", "setInterval(() => {}, 1)"],
  ])("%s is found in %s", (name, source) => {
    expect(inLimiter(`\n${source}`)).toEqual([
      expect.stringContaining(`${SRC}/limiter/key.ts:2  found ${name}, expected it in`),
    ]);
  });

  test.each([
    "// Date.now()",
    "const text = 'Math.random()';",
    "const pattern = /[/*]setTimeout/;",
    "clock.setTimeout(1);",
    "const timers = { setTimeout: 1 };",
    "new Date(0);",
  ])("%s is none of it", (source) => {
    expect(inLimiter(source)).toEqual([]);
  });
});

describe("the library", () => {
  test("is not tied to Node", () => {
    const file = `${SRC}/core/log.ts`;
    const source = `const env = process.env;\nchild.process = 1;\nlet bytes: Buffer;`;
    expect(findings(portable, { [file]: source })).toEqual([
      `${file}:1  found process, expected code that runs in browsers and edge workers too`,
      `${file}:3  found Buffer, expected code that runs in browsers and edge workers too`,
    ]);
    expect(findings(portable, { "packages/server/src/index.ts": "process.exit()" })).toEqual([]);
  });
});

describe("error codes", () => {
  const list = `export const ERROR_CODES = [\n  "bad-key",\n  "limited",\n] as const;`;
  const raise = `fail({ code: "bad-key" });\nfail({ code: "limited" });`;
  const page = "## `bad-key`\n\n| code |\n|---|\n| `limited` |\n";
  const codes = (changed: Files) =>
    findings(errorCodes, {
      [`${SRC}/core/errors.ts`]: list,
      [`${SRC}/limiter/key.ts`]: raise,
      "docs/errors.md": page,
      ...changed,
    });

  test("are listed, raised and documented", () => {
    expect(codes({})).toEqual([]);
    expect(
      codes({ [`${SRC}/limiter/key.ts`]: `${raise}\nif (e.code === "ENOENT") f({ code: "E1" })` }),
    ).toEqual([]);
  });

  test("are raised if listed, and listed if raised", () => {
    expect(
      codes({
        [`${SRC}/limiter/key.ts`]: `fail({ code: "limited" });\nfail({ code: "bad-kye" });`,
      }),
    ).toEqual([
      `${SRC}/core/errors.ts:2  found the code bad-key, expected a use in ${SRC}/, or no such code`,
      `${SRC}/limiter/key.ts:2  found the code bad-kye, expected a code listed in core/errors.ts`,
    ]);
  });

  test("are documented if listed, and listed if documented", () => {
    expect(codes({ "docs/errors.md": "## `bad-kye`\n## `limited`\n" })).toEqual([
      `${SRC}/core/errors.ts:2  found the code bad-key, expected a place in docs/errors.md`,
      "docs/errors.md:1  found the code bad-kye, expected a code listed in core/errors.ts",
    ]);
  });

  test("have a page", () => {
    const files = { [`${SRC}/core/errors.ts`]: list, [`${SRC}/limiter/key.ts`]: raise };
    expect(findings(errorCodes, files)).toEqual([
      `${SRC}/core/errors.ts:1  found no docs/errors.md, expected a page that explains every code`,
    ]);
  });
});

describe("exports", () => {
  const whole: Files = {
    "packages/spillway/package.json": `{ "exports": {
      ".": { "default": "./dist/index.js" },
      "./memory": { "default": "./dist/stores/memory/index.js" }
    } }`,
    [`${SRC}/index.ts`]: `export * from "./limiter/index.ts";`,
    [`${SRC}/limiter/index.ts`]: "",
    [`${SRC}/stores/memory/index.ts`]: "",
    "docs/limiter.md": "",
    "docs/stores/memory/README.md": "",
    "packages/spillway/test/limiter/key.test.ts": "",
    "packages/spillway/test/stores/memory.test.ts": "",
  };
  const without = (gone: string) =>
    findings(exports, Object.fromEntries(Object.entries(whole).filter(([path]) => path !== gone)));

  test("have an index, a page and a test", () => {
    expect(findings(exports, whole)).toEqual([]);
    expect(without(`${SRC}/stores/memory/index.ts`)).toEqual([
      `packages/spillway/package.json:3  found "./memory" without an index, expected ${SRC}/stores/memory/index.ts`,
    ]);
    expect(without("docs/limiter.md")).toEqual([
      `packages/spillway/package.json:2  found "." without a page, expected docs/limiter.md or docs/limiter/README.md`,
    ]);
    expect(without("packages/spillway/test/stores/memory.test.ts")).toEqual([
      `packages/spillway/package.json:3  found "./memory" without a test, expected packages/spillway/test/stores/memory.test.ts or packages/spillway/test/stores/memory/`,
    ]);
  });

  test("leave no folder out, and no page about nothing", () => {
    const more = {
      [`${SRC}/http/index.ts`]: "",
      "docs/stores/redis.md": "",
      "docs/stores/README.md": "",
    };
    expect(findings(exports, { ...whole, ...more })).toEqual([
      `${SRC}/http/index.ts:1  found http, exported by nothing, expected it in packages/spillway/package.json's exports or in src/index.ts`,
      `docs/stores/redis.md:1  found a page about nothing, expected ${SRC}/stores/redis/index.ts`,
    ]);
  });
});

test("what core exports its page names", () => {
  const index = `${SRC}/core/index.ts`;
  const files = { [index]: 'export {\n  type Clock,\n  nearest,\n} from "./a.ts";' };
  expect(findings(corePage, { ...files, "docs/core.md": "A `Clock`, and the nearest." })).toEqual(
    [],
  );
  expect(findings(corePage, { ...files, "docs/core.md": "A `Clock`." })).toEqual([
    `${index}:3  found an export of nearest, expected a word on it in docs/core.md, or it in internal/`,
  ]);
});

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

describe("links", () => {
  const page = (text: string) =>
    findings(links, {
      "docs/a.md": text,
      "docs/stores/b.md": "# The `b` store\n## More\n## More",
      LICENSE: "",
    });

  test.each([
    "[b](stores/b.md)",
    "[b](./stores/b.md#the-b-store)",
    "[b](stores/b.md#more-1)",
    "[all](stores/) [root](/LICENSE)",
    "# Here\n[here](#here)",
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
      "packages/spillway/src/core/log.ts",
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
