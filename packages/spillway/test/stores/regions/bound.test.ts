/**
 * Law 1 over three regions, whatever is lost, late, repeated, cut off, suspended, dead, blocked or reset, and while the
 * definition of the limit changes. `SPILLWAY_FIRST_SEED` and `SPILLWAY_RUNS` make long runs in pieces.
 */
import { describe, expect, test } from "vitest";
import { FIRST_SEED, runs } from "../../runs.ts";
import { type PlayOptions, play } from "./play.ts";

const KINDS = ["token bucket", "fixed window", "sliding window"] as const;

async function playAll(short: number, options: Omit<PlayOptions, "seed">): Promise<void> {
  const all = { admitted: 0, drawn: 0 };
  for (let seed = FIRST_SEED; seed < FIRST_SEED + runs(short); seed++) {
    const { over, admitted, drawn } = await play({ ...options, seed });
    if (over > 0) expect.fail(`seed ${seed} admits ${over} units too many`);
    all.admitted += admitted;
    all.drawn += drawn;
  }
  // Else nothing was tried.
  expect(all.drawn).toBeGreaterThan(5 * runs(short));
  expect(all.admitted).toBeGreaterThan(50 * runs(short));
}

describe("a limit over three regions", () => {
  test.each(KINDS)("%s: no span admits more than the limit, whatever goes wrong", (kind) =>
    playAll(2500, { kind }),
  );
});

describe("a limit over three regions with clocks apart by up to two minutes", () => {
  test.each(["fixed window", "sliding window"] as const)(
    "%s: no more is admitted than the parts in windows of their own",
    (kind) => playAll(1250, { kind, areApart: true }),
  );
});
