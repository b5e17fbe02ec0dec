/** The order of the rooms, and what may be imported where. */
import { describe, expect, test } from "vitest";
import { ambient } from "../../tidy/ambient.ts";
import { boundaries } from "../../tidy/boundaries.ts";
import { cycles } from "../../tidy/cycles.ts";
import { floors } from "../../tidy/floors.ts";
import { portable } from "../../tidy/portable.ts";
import { findings, SRC } from "./findings.ts";

describe("floors", () => {
  const one = (file: string, from: string) =>
    findings(floors, { [`${SRC}/${file}`]: `\nexport * from "${from}";` });

  test("are left downwards, to an index", () => {
    expect(one("limiter/key.ts", "../limits/core/index.ts")).toEqual([]);
    expect(one("limiter/key.ts", "./sha256.ts")).toEqual([]);
    expect(one("stores/redis/index.ts", "../../limits/algorithms/index.ts")).toEqual([]);
    expect(one("index.ts", "./stores/memory/index.ts")).toEqual([]);
  });

  test("are not left upwards", () => {
    expect(one("limits/core/clock.ts", "../../limiter/index.ts")).toEqual([
      `${SRC}/limits/core/clock.ts:2  found an import of ../../limiter/index.ts, expected limits to import lower floors than its own`,
    ]);
    expect(one("limits/algorithms/adopt.ts", "../../index.ts")).toEqual([
      `${SRC}/limits/algorithms/adopt.ts:2  found an import of ../../index.ts, expected limits to import lower floors than its own`,
    ]);
    expect(one("index.ts", "./testing/index.ts")).toEqual([
      `${SRC}/index.ts:2  found an import of ./testing/index.ts, expected index.ts to import lower floors than its own`,
    ]);
  });

  test("keep rooms of one floor, and parts of one height, apart", () => {
    expect(one("testing/cases.ts", "../http/headers/index.ts")).toEqual([
      `${SRC}/testing/cases.ts:2  found an import of ../http/headers/index.ts, expected testing to import lower floors than its own`,
    ]);
    expect(one("stores/postgres/index.ts", "../redis/index.ts")).toEqual([
      `${SRC}/stores/postgres/index.ts:2  found an import of ../redis/index.ts, expected stores/postgres to import lower parts of stores`,
    ]);
  });

  test("order the parts of a room", () => {
    expect(one("stores/redis/clients/glide.ts", "../../memory/index.ts")).toEqual([]);
    expect(one("stores/regions/far-part.ts", "../lending/holder.ts")).toEqual([]);
    expect(one("limits/core/log.ts", "../algorithms/index.ts")).toEqual([
      `${SRC}/limits/core/log.ts:2  found an import of ../algorithms/index.ts, expected limits/core to import lower parts of limits`,
    ]);
  });

  test("are not left through windows", () => {
    expect(one("limiter/key.ts", "../limits/core/errors.ts")).toEqual([
      `${SRC}/limiter/key.ts:2  found an import of ../limits/core/errors.ts, expected its index, limits/core/index.ts`,
    ]);
    const files = {
      [`${SRC}/http/guard/a.ts`]: `import "../headers/key.ts";`,
      [`${SRC}/http/headers/index.ts`]: "",
    };
    expect(findings(floors, files)).toEqual([
      `${SRC}/http/guard/a.ts:1  found an import of ../headers/key.ts, expected its index, http/headers/index.ts`,
    ]);
  });

  test("count types, and the server's rooms", () => {
    const file = "packages/server/src/rules/units.ts";
    const source = `type Ask = import("../service/index.ts").Ask;`;
    expect(findings(floors, { [file]: source })).toEqual([
      `${file}:1  found an import of ../service/index.ts, expected rules to import lower floors than its own`,
    ]);
  });

  test("have a room for every file", () => {
    expect(one("helpers/misc.ts", "./more.ts")).toEqual([
      expect.stringContaining(`${SRC}/helpers/misc.ts:1  found a file in no room`),
    ]);
    expect(one("http/misc.ts", "./more.ts")).toHaveLength(1);
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

  test("let the transports' tests have the middleware's behaviour table", () => {
    const table = "../../../../spillway/test/http/middleware/behaviour.ts";
    expect(inServer("test/transports/proxy/a.test.ts", table)).toEqual([]);
    expect(inServer("test/commands/b/a.test.ts", table)).toHaveLength(1);
    expect(inServer("src/transports/proxy/a.ts", table)).toHaveLength(1);
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
    expect(findings(boundaries, { [`${SRC}/limits/core/log.ts`]: `import "node:util";` })).toEqual([
      `${SRC}/limits/core/log.ts:1  found an import of node:util, expected code that runs in browsers and edge workers too`,
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

  test("of types are cycles as well", () => {
    const files = {
      "a.ts": `import type { B } from "./b.ts";`,
      "b.ts": `import { a } from "./a.ts";`,
    };
    expect(findings(cycles, files)).toEqual([
      "b.ts:1  found a cycle: a.ts → b.ts → a.ts, expected imports that lead one way",
    ]);
  });
});

describe("time and chance", () => {
  const inLimiter = (source: string) => findings(ambient, { [`${SRC}/limiter/key.ts`]: source });

  test("are named in the file that owns them", () => {
    expect(
      findings(ambient, {
        [`${SRC}/limits/core/clock.ts`]: "export const now = () => Date.now();",
      }),
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
    const file = `${SRC}/limits/core/log.ts`;
    const source = `const env = process.env;\nchild.process = 1;\nlet bytes: Buffer;`;
    expect(findings(portable, { [file]: source })).toEqual([
      `${file}:1  found process, expected code that runs in browsers and edge workers too`,
      `${file}:3  found Buffer, expected code that runs in browsers and edge workers too`,
    ]);
    expect(findings(portable, { "packages/server/src/index.ts": "process.exit()" })).toEqual([]);
  });
});
