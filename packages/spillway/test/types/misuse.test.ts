/** Misuse does not compile: each error is where the mistake is, and names the field. By the real compiler. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { MISUSES, type Misuse } from "./misuses.ts";

const ROOT = fileURLToPath(new URL("../../../..", import.meta.url));

const PREAMBLE = `
import { type Limits, memoryStore, RateLimiter } from "spillway";
import { limited } from "spillway/fetch";
const SEARCH = { kind: "sliding window", rate: 60, period: "1m" } as const;
const REPORTS = { kind: "concurrency", capacity: 3, ttl: "1m" } as const;
const SEND = { kind: "token bucket", rate: 10, period: "1m" } as const;
const limiter = new RateLimiter({ send: SEND, search: SEARCH, reports: REPORTS });
declare const found: string | undefined;
memoryStore; ({}) as Limits;
`.trim();

/** The errors of a program that has one misuse a line, by the misuse. */
function errorsOf(misuses: readonly Misuse[], options: object): ReadonlyMap<string, string> {
  const first = PREAMBLE.split("\n").length;
  const code = [PREAMBLE, ...misuses.map((misuse) => misuse.code)].join("\n");
  const errors = new Map<string, string>();
  for (const [, line, text = ""] of compile(code, options).matchAll(ERROR)) {
    const misuse = misuses[Number(line) - 1 - first]?.code ?? `line ${line} of the preamble`;
    errors.set(misuse, (errors.get(misuse) ?? "") + text);
  }
  return errors;
}

/** An error, with the lines that explain it. */
const ERROR = /^\S+\.ts\((\d+),\d+\): (error .*(?:\n .*)*)/gm;

/** What the compiler prints for a program. */
function compile(code: string, options: object): string {
  const scratch = join(ROOT, ".spillway");
  mkdirSync(scratch, { recursive: true });
  const folder = mkdtempSync(join(scratch, "types-"));
  const compilerOptions = { ...options, noUnusedLocals: false };
  const config = { extends: "../../tsconfig.tests.json", compilerOptions, include: ["*.ts"] };
  try {
    writeFileSync(join(folder, "misuse.ts"), code);
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
    const tsc = join(ROOT, "node_modules", "typescript", "bin", "tsc");
    return spawnSync(process.execPath, [tsc, "-p", folder], { encoding: "utf8" }).stdout;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Where a misuse was not seen, or its message says too little. */
function unclear(misuses: readonly Misuse[], errors: ReadonlyMap<string, string>) {
  return misuses.filter(({ code, names }) => !errors.get(code)?.includes(names));
}

test("misuse is an error of its own line, whose message names the field", () => {
  const errors = errorsOf(MISUSES, {});
  expect(unclear(MISUSES, errors).map(({ code }) => [code, errors.get(code)])).toEqual([]);
  expect([...errors.keys()].filter((line) => line.includes("preamble"))).toEqual([]);
});

test("without exactOptionalPropertyTypes, only what is undefined compiles", () => {
  const errors = errorsOf(MISUSES, { exactOptionalPropertyTypes: false });
  const seen = MISUSES.filter(({ isExact }) => !isExact);
  expect(unclear(seen, errors).map(({ code }) => [code, errors.get(code)])).toEqual([]);
  const unseen = MISUSES.filter(({ code }) => !errors.has(code));
  expect(unseen).toEqual(MISUSES.filter(({ isExact }) => isExact));
});
