/** What has to be listed, documented and tested. */
import { describe, expect, test } from "vitest";
import { corePage } from "../../tidy/core-page.ts";
import { errorCodes } from "../../tidy/error-codes.ts";
import { exports } from "../../tidy/exports.ts";
import { type Files, findings, SRC } from "./findings.ts";

describe("error codes", () => {
  const list = `export const ERROR_CODES = [\n  "bad-key",\n  "limited",\n] as const;`;
  const raise = `fail({ code: "bad-key" });\nfail({ code: "limited" });`;
  const page = "## `bad-key`\n\n| code |\n|---|\n| `limited` |\n";
  const codes = (changed: Files) =>
    findings(errorCodes, {
      [`${SRC}/limits/core/errors.ts`]: list,
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
      `${SRC}/limits/core/errors.ts:2  found the code bad-key, expected a use in ${SRC}/, or no such code`,
      `${SRC}/limiter/key.ts:2  found the code bad-kye, expected a code listed in limits/core/errors.ts`,
    ]);
  });

  test("are documented if listed, and listed if documented", () => {
    expect(codes({ "docs/errors.md": "## `bad-kye`\n## `limited`\n" })).toEqual([
      `${SRC}/limits/core/errors.ts:2  found the code bad-key, expected a place in docs/errors.md`,
      "docs/errors.md:1  found the code bad-kye, expected a code listed in limits/core/errors.ts",
    ]);
  });

  test("have a page", () => {
    const files = { [`${SRC}/limits/core/errors.ts`]: list, [`${SRC}/limiter/key.ts`]: raise };
    expect(findings(errorCodes, files)).toEqual([
      `${SRC}/limits/core/errors.ts:1  found no docs/errors.md, expected a page that explains every code`,
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
      `packages/spillway/package.json:2  found "." without a page, expected docs/limiter.md or docs/limiter/README.md or docs/stores/limiter.md or docs/stores/limiter/README.md or docs/middleware/limiter.md or docs/middleware/limiter/README.md or docs/moving/limiter.md or docs/moving/limiter/README.md`,
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
      `docs/stores/redis.md:1  found a page about nothing, expected an export "./redis" in packages/spillway/package.json`,
    ]);
  });
});

test("what core exports its page names", () => {
  const index = `${SRC}/limits/core/public.ts`;
  const files = { [index]: 'export {\n  type Clock,\n  nearest,\n} from "./a.ts";' };
  expect(findings(corePage, { ...files, "docs/core.md": "A `Clock`, and the nearest." })).toEqual(
    [],
  );
  expect(findings(corePage, { ...files, "docs/core.md": "A `Clock`." })).toEqual([
    `${index}:3  found an export of nearest, expected a word on it in docs/core.md, or it in index.ts, for the library alone`,
  ]);
});
