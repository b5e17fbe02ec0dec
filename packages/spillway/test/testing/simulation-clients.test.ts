/** What clients do: they wait until a deadline, and may try again. */
import { describe, expect, test } from "vitest";
import {
  constant,
  fixed,
  type Recording,
  type Scenario,
  simulate,
  spike,
  successRate,
  type Traffic,
  total,
  type World,
} from "../../src/testing/simulation/index.ts";
import { cpu, offered, shedderOf } from "./simulation-shedder.ts";

describe("clients", () => {
  const refusing = (client: Scenario["client"], retryAfter = 0): Promise<Recording> =>
    simulate({
      duration: 10_000,
      traffic: offered(50),
      client: client ?? {},
      shedder: () => shedderOf(() => false, { retryAfter }),
    });

  test("try again after a refusal, which makes the load greater", async () => {
    const recording = await refusing({ attempts: 3, backoff: 10 });
    const all = total(recording, { to: Infinity });
    expect(all.offered).toBe(3 * all.arrived);
    expect(all.shed).toBe(all.offered);
  });

  test("try again after a deadline, which keeps a server down after a spike", async () => {
    const spiked: Scenario = {
      duration: 60_000,
      traffic: [{ rate: spike({ base: 75, peak: 300, at: 10_000, lasting: 5000 }), cpu }],
    };
    const alone = await simulate(spiked);
    const again = await simulate({ ...spiked, client: { attempts: 3 } });
    const late = { from: 50_000 };
    expect(total(alone).offered).toBe(total(alone).arrived);
    expect(total(again).arrived).toBe(total(alone).arrived);
    expect(total(again, late).offered).toBeGreaterThan(2.5 * total(again, late).arrived);
    expect([successRate(alone, late), successRate(again, late)]).toEqual([1, 0]);
  });

  test("succeed once at most, and each attempt comes to one end", async () => {
    const client = { attempts: 3, deadline: 100 };
    const shedder = ({ random }: World) => shedderOf(() => random() < 0.7);
    const traffic = offered(110);
    const all = total(await simulate({ duration: 20_000, traffic, client, shedder }), {
      to: Infinity,
    });
    expect(all.succeeded).toBe(all.served);
    expect(all.succeeded).toBeLessThan(all.arrived);
    expect(all.offered).toBe(all.served + all.late + all.shed + all.timedOut);
    expect(Math.min(all.served, all.late, all.shed, all.timedOut)).toBeGreaterThan(0);
  });

  test("honour what a refusal says, if they do", async () => {
    const client = { attempts: 2, backoff: 0 };
    const polite = await refusing({ ...client, honoursRetryAfter: true }, 30_000);
    expect(total(polite).offered).toBe(total(polite).arrived);
    expect(total(polite, { from: 30_000, to: 40_000 }).offered).toBe(total(polite).arrived);
    const rude = await refusing(client, 30_000);
    expect(total(rude).offered).toBe(2 * total(rude).arrived);
    const gone = await refusing({ ...client, honoursRetryAfter: true }, Infinity);
    expect(total(gone, { to: Infinity }).offered).toBe(total(gone).arrived);
  });

  test("tell until when they wait, if they do", async () => {
    const deadlines = new Set<number | undefined>();
    const shedder = () =>
      shedderOf(({ deadline }) => deadlines.add(deadline && Math.round(deadline)) !== undefined);
    const traffic: Traffic[] = [
      { rate: constant(10) },
      { rate: constant(10), client: { tellsDeadline: true, deadline: 700 } },
    ];
    await simulate({ duration: 1000, traffic, shedder, server: { overhead: 0 } });
    expect(deadlines).toEqual(new Set([undefined, 700]));
  });

  test("wait twice as long each time at most", async () => {
    const sent: number[] = [];
    const shedder = ({ scheduler }: World) => shedderOf(() => sent.push(scheduler.elapsed()) === 0);
    const longest = [0, 0, 0];
    for (let seed = 1; seed <= 200; seed++) {
      const traffic = [{ rate: spike({ base: 0, peak: 1e6, at: 0, lasting: 0.001 }) }];
      const client = { attempts: 4, backoff: 100 };
      await simulate({ seed, duration: 1, traffic, client, shedder, server: FREE });
      // Only runs of one request tell which attempt is which.
      if (sent.length === 4) note(longest, sent);
      sent.length = 0;
    }
    for (const [index, ms] of longest.entries()) {
      expect(ms).toBeLessThanOrEqual(100 * 2 ** index);
      expect(ms).toBeGreaterThan(80 * 2 ** index);
    }
  });

  test("have no use for an answer in the instant of the deadline", async () => {
    const traffic = [{ rate: constant(1), cpu: fixed(8) }];
    const run = (deadline: number) =>
      simulate({ duration: 10_000, traffic, client: { deadline }, server: FREE }).then((r) =>
        total(r),
      );
    const [inTime, justNot] = await Promise.all([run(8.001), run(8)]);
    expect([inTime.served, inTime.late]).toEqual([inTime.arrived, 0]);
    expect([justNot.served, justNot.late]).toEqual([0, justNot.arrived]);
  });
});

/** A server that costs nothing itself. */
const FREE = { overhead: 0, refusalCost: 0 };

function note(longest: number[], sent: readonly number[]): void {
  for (const index of longest.keys()) {
    const wait = (sent[index + 1] ?? 0) - (sent[index] ?? 0);
    longest[index] = Math.max(longest[index] ?? 0, wait);
  }
}
