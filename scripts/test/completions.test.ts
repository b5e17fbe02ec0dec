/** What an editor shows of the most used names: a docstring with an example. */
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { expect, test } from "vitest";
import { installBeside } from "../setup/beside.ts";
import { ROOT } from "./pages.ts";

const PROGRAM = `
import { MINUTE, RateLimiter } from "spillway";
import { limitedFetch } from "spillway/client";
import { limited } from "spillway/express";
import { postgresStore } from "spillway/postgres";
import { redisStore } from "spillway/redis";
import { adaptiveShedder } from "spillway/shedding";

const limiter = new RateLimiter({
  a: { kind: "token bucket", rate: 1, period: MINUTE },
  c: { kind: "concurrency", capacity: 1, ttl: MINUTE },
});
limiter.limit("a");
limiter.limitAll([{ limit: "a" }]);
limiter.settle("a", { reserved: 1, used: 0 });
limiter.acquire("c");
limiter.run("c", async () => 1);
limitedFetch(fetch);
limited(limiter, { limit: "a" });
postgresStore({} as never);
redisStore({} as never);
adaptiveShedder();
`;

const FILE = join(ROOT, ".spillway", "completions.ts");

type Info = {
  readonly documentation?: readonly { readonly text: string }[];
  readonly tags?: readonly { readonly name: string }[];
};
type Service = { getQuickInfoAtPosition(file: string, position: number): Info | undefined };

await installBeside("scripts/reference", "TypeDoc, for the reference pages, 48 MB");

/** The language service of editors: the compiler itself has none any more. */
function languageService(): Service {
  const ts = createRequire(join(ROOT, "scripts/reference/package.json"))("typescript");
  const module = ts.ModuleKind.NodeNext;
  const moduleResolution = ts.ModuleResolutionKind.NodeNext;
  const settings = { module, moduleResolution, types: [], strict: true };
  const textOf = (name: string) => {
    if (name === FILE) return PROGRAM;
    return existsSync(name) ? readFileSync(name, "utf8") : undefined;
  };
  return ts.createLanguageService({
    ...ts.sys,
    useCaseSensitiveFileNames: () => ts.sys.useCaseSensitiveFileNames,
    fileExists: (name: string) => textOf(name) !== undefined,
    readFile: textOf,
    getScriptFileNames: () => [FILE],
    getScriptVersion: () => "1",
    getScriptSnapshot: (name: string) => {
      const text = textOf(name);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => ROOT,
    getCompilationSettings: () => ({ ...settings, target: ts.ScriptTarget.ES2024 }),
    getDefaultLibFileName: ts.getDefaultLibFilePath,
  });
}

const service = languageService();
const calls = [...PROGRAM.matchAll(/^(?:const limiter = new |limiter\.)?(\w+)\(/gm)];

test("there are ten of them, and the class", () => {
  expect(calls).toHaveLength(11);
});

test.each(
  calls.map(({ 0: call, 1: name = "", index }) => [name, index + call.length - 2] as const),
)("%s has a docstring with an example", (_, position) => {
  const { documentation = [], tags = [] } = service.getQuickInfoAtPosition(FILE, position) ?? {};
  expect(documentation.map(({ text }) => text).join("").length).toBeGreaterThan(20);
  expect(tags.map(({ name }) => name)).toContain("example");
});
