/** What the packed library loads later: when it is missing, and when it is there again. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { fences, read } from "../pages.ts";
import type { Packed } from "./packed.ts";
import { run } from "./run.ts";

const LATER = "limiter/waiting/later-parts.js";

/** Waits while the file is away, and once more while it is there. */
const PROGRAM = `
  const { rename } = await import("node:fs/promises");
  const { RateLimiter } = await import("spillway");
  const limiter = new RateLimiter({ reports: { kind: "concurrency", capacity: 1, ttl: "1m" } });
  const held = limiter.acquire("reports");
  const file = process.env.LATER;
  await rename(file, file + ".away");
  const error = await limiter.acquire("reports", { wait: "1m" }).catch((error) => error);
  await rename(file + ".away", file);
  const waiting = [1, 2, 3].map(() => limiter.acquire("reports", { wait: "1m" }));
  held.release();
  const admitted = [];
  for (const lease of waiting) {
    admitted.push((await lease).ok);
    (await lease).release();
  }
  const { remaining } = limiter.value("reports");
  const { code, message } = error;
  console.log(JSON.stringify({ code, message, admitted, remaining }));
`;

export function laterTests(packed: () => Packed): void {
  test("a wait whose code is missing rejects with a code, and the next one is served", () => {
    const env = { ...process.env, LATER: join(packed().contents("spillway"), "dist", LATER) };
    const args = ["--input-type=module", "--eval", PROGRAM];
    const { stdout, stderr } = run(process.execPath, args, { cwd: packed().folder, env });
    expect(stderr).toBe("");
    const [, section = ""] = read("docs/errors.md").split("## `not-loaded`");
    const [message] = fences(section, "text");
    const expected = { code: "not-loaded", message, admitted: [true, true, true], remaining: 1 };
    expect(JSON.parse(stdout)).toEqual(expected);
  });
}
