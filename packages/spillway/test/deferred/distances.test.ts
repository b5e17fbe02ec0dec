/** Whatever happens, starts keep their distance. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { runs } from "../runs.ts";
import { LEAKY, worldOf } from "./memory-world.ts";

test("whatever is asked, cancelled and failed, starts keep their distance and nothing is lost", async () => {
  const step = fc.record({
    pause: fc.nat(1500),
    what: fc.constantFrom("submit", "submit", "submit", "cancel", "fail", "slow"),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), fc.integer({ min: 1, max: 7 }), story),
    { numRuns: runs(60) },
  );
});

async function story(
  steps: readonly { readonly pause: number; readonly what: string }[],
  rate: number,
): Promise<void> {
  const { scheduler, clock, mailing } = worldOf({ ...LEAKY, rate, capacity: 5 }, 2);
  const starts: number[] = [];
  const running = new Set<string>();
  const worker = mailing.work(
    async ({ id, data, startAt }) => {
      expect(running.has(id)).toBe(false);
      running.add(id);
      starts.push(clock());
      expect(clock()).toBeGreaterThanOrEqual(startAt);
      if (data === "slow") await scheduler.sleep(2500);
      running.delete(id);
      if (data === "fail") throw new Error("failed");
    },
    { concurrency: 3 },
  );
  const ids: string[] = [];
  for (const { pause, what } of steps) {
    if (what === "cancel") await mailing.cancel(ids.at(-1) ?? "");
    else {
      const answer = await mailing.submit(what);
      if (answer.ok) ids.push(answer.job.id);
    }
    await scheduler.advance(pause);
  }
  await scheduler.advance(120_000);
  const spacing = Math.floor(1000 / rate);
  for (const [n, start] of starts.slice(1).entries()) {
    expect(start - (starts[n] as number)).toBeGreaterThanOrEqual(spacing);
  }
  const jobs = await Promise.all(ids.map((id) => mailing.find(id)));
  const over = jobs.filter((job) => ["done", "failed", "cancelled"].includes(job?.state ?? ""));
  expect(over.length).toBe(ids.length);
  await worker.close();
}
