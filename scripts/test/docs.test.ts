/** The pages are true: their TypeScript compiles, and their errors occur as they say. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { PGlite } from "@electric-sql/pglite";
import { Redis } from "ioredis";
import { ERROR_CODES, RateLimitError, RateLimiter, type SpillwayError } from "spillway";
import { Deferred, memoryQueue } from "spillway/deferred";
import { limited } from "spillway/fetch";
import { memoryStore } from "spillway/memory";
import { migrate, postgresStore } from "spillway/postgres";
import { redisStore } from "spillway/redis";
import { fleetShedder } from "spillway/shedding";
import { sqliteStore } from "spillway/sqlite";
import { regionStore } from "spillway/store";
import { manualClock } from "spillway/testing";
import { describe, expect, test } from "vitest";
import { fences, modules, pages, ROOT, read } from "./pages.ts";

const LANGUAGES = [
  ["ts", {}],
  // What a program has that says nothing about it.
  ["ts", { lib: ["ES2024", "DOM"] }],
  ["tsx", { jsx: "react-jsx", lib: ["ES2024", "DOM"] }],
  ["typescript", { experimentalDecorators: true, erasableSyntaxOnly: false }],
] as const;

test.each(LANGUAGES)("all %s of the pages compiles", (language, options) => {
  const scratch = join(ROOT, ".spillway");
  mkdirSync(scratch, { recursive: true });
  const folder = mkdtempSync(join(scratch, "docs-"));
  try {
    const all = pages().flatMap((page) => modules(page, language));
    expect(all).not.toEqual([]);
    for (const { name, code } of all) writeFileSync(join(folder, name), code);
    const compilerOptions = { ...TSCONFIG.compilerOptions, ...options };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ ...TSCONFIG, compilerOptions }));
    const tsc = join(ROOT, "node_modules", "typescript", "bin", "tsc");
    const { stdout } = spawnSync(process.execPath, [tsc, "-p", folder], { encoding: "utf8" });
    expect(stdout).toBe("");
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/** As strict as the rest, but an example need not use all that it shows. */
const TSCONFIG = {
  extends: "../../tsconfig.tests.json",
  compilerOptions: { noUnusedLocals: false, noUnusedParameters: false },
  include: ["*.ts", "*.tsx"],
};

/** Makes functions of text that may `await`; it has no name of its own. */
const AsyncFunction = (async () => {}).constructor as new (
  ...parts: string[]
) => (...values: unknown[]) => Promise<unknown>;

describe("docs/errors.md", () => {
  const [introduction = "", ...parts] = read("docs/errors.md").split(/^## /m);
  const sections = new Map(parts.map((part) => [/^`(.+)`/.exec(part)?.[1], part]));

  test("explains every code, and no other", () => {
    expect([...sections.keys()]).toEqual([...ERROR_CODES]);
  });

  /** In a worker, or in a packed library: `runtimes` and `packed` beside this compare the messages there. */
  const ELSEWHERE = ["no-request-signal", "not-loaded"];

  test.each(ERROR_CODES.filter((code) => !ELSEWHERE.includes(code)))(
    "%s occurs as it says",
    async (code) => {
      const section = sections.get(code) ?? "";
      const [example = ""] = fences(section, "js");
      const [message] = fences(section, "text");
      expect(await errorOf(example)).toMatchObject({ code, message });
    },
  );

  /** What an example of the page throws, or rejects with. */
  async function errorOf(example: string): Promise<SpillwayError | undefined> {
    const [setup = ""] = fences(introduction, "js");
    const clock = manualClock();
    class OnManualClock extends RateLimiter<never> {
      constructor(limits: never, options = { store: memoryStore({ clock }) }) {
        super(limits, options);
      }
    }
    const stores = { memoryStore, redisStore, sqliteStore, postgresStore, migrate };
    const drivers = { Redis, DatabaseSync, PGlite };
    const tools = {
      RateLimiter: OnManualClock,
      RateLimitError,
      limited,
      fleetShedder,
      Deferred,
      memoryQueue,
      regionStore,
      ...stores,
      ...drivers,
    };
    const run = new AsyncFunction(...Object.keys(tools), `${setup}\n${example}`);
    try {
      await run(...Object.values(tools));
    } catch (error) {
      return error as SpillwayError;
    }
    return undefined;
  }
});
