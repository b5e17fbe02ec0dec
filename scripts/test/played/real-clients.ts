/** What has to hold for processes as they start and clients as they are. */
import { goodput, type Span, successRate, total } from "spillway/testing/simulation";
import { describe, expect, test } from "vitest";
import { figuresOf, play } from "../../draw/shedding/play.ts";
import { coldStart, REAL_CLIENTS } from "../../draw/shedding/real-clients.ts";
import { type Trial, withoutShedder } from "../../draw/shedding/trial.ts";

const OVERLOADED = {
  "cold, 1.2 × the room": coldStart(1.2),
  "cold, 2 × the room": coldStart(2),
  "cold, 5 × the room": REAL_CLIENTS["cold-5"],
  "cold, 10 × the room": coldStart(10),
  "a connection each": REAL_CLIENTS["single-use-3"],
  "half and three times the room in turn": REAL_CLIENTS.alternating,
} satisfies { readonly [load: string]: Trial };

type Load = keyof typeof OVERLOADED;
const LOADS = Object.keys(OVERLOADED) as Load[];

/** What is served when it alone fits the room: of critical requests, and of health checks. */
async function served(trial: Trial, span: Span) {
  const recording = await play(trial);
  return {
    critical: successRate(recording, { ...span, priority: "critical" }),
    health: successRate(recording, { ...span, route: "health" }),
  };
}

function expectServed({ critical, health }: Awaited<ReturnType<typeof served>>): void {
  expect.soft(critical).toBeGreaterThanOrEqual(0.99);
  expect.soft(health).toBeGreaterThanOrEqual(0.99);
}

export function realClientTests(): void {
  describe("from the third second on what is critical and health checks are served", () => {
    test.for(LOADS)("%s", async (load) => {
      expectServed(await served(OVERLOADED[load], { from: 3000 }));
    });

    test("while five times the room come", async () => {
      expectServed(await served(REAL_CLIENTS["drop-5"], { from: 3000, to: 20_000 }));
    });

    test("while a database takes ten times as long", async () => {
      expectServed(await served(REAL_CLIENTS["tenfold-database"], { from: 3000 }));
    });
  });

  describe("goodput from the fifth second on", () => {
    test.for(LOADS)("is at least 0.85 of the room, and that of no shedder: %s", async (load) => {
      const trial: Trial = { ...OVERLOADED[load], from: 5000 };
      const least = load === "a connection each" ? 0.75 : 0.85;
      const { goodput } = await figuresOf(trial);
      expect.soft(goodput).toBeGreaterThanOrEqual(least);
      const control = (await figuresOf(withoutShedder(trial))).goodput;
      // Refusing costs time as well: 2 % are no loss.
      expect.soft(goodput).toBeGreaterThan(control - 0.02);
    });

    test("is at least 0.85 of what a slow database can do", async () => {
      const recording = await play(REAL_CLIENTS["tenfold-database"]);
      const checks = 2;
      const rate = goodput(recording, { from: 21_000, to: 30_000 }) - checks;
      expect(rate).toBeGreaterThanOrEqual(0.85 * 50);
    });
  });

  /** The share of the attempts of a span that was refused. */
  async function refused(trial: Trial, span: Span): Promise<number> {
    const { shed, offered } = total(await play(trial), span);
    return shed / offered;
  }

  describe("what fits is not refused", () => {
    test("of work with a heavy tail no more than 2 % at 0.9 of the room", async () => {
      const trial = REAL_CLIENTS["heavier-tail"];
      // Chance makes what comes in a minute up to a tenth more than that.
      const shares = [1, 2, 3, 4, 5, 6].map((seed) =>
        refused({ ...trial, scenario: { ...trial.scenario, seed } }, {}),
      );
      const sum = (await Promise.all(shares)).reduce((all, each) => all + each);
      expect(sum / shares.length).toBeLessThanOrEqual(0.02);
    });

    test("of streams and requests beside them, nothing at half the room", async () => {
      expect.soft(await refused(REAL_CLIENTS.streams, {})).toBe(0);
      expect(successRate(await play(REAL_CLIENTS.streams))).toBe(1);
    });

    test("three seconds after the load has dropped to half the room", async () => {
      const recording = await play(REAL_CLIENTS["drop-5"]);
      expect(total(recording, { from: 23_000 })).toMatchObject({ shed: 0, late: 0, timedOut: 0 });
    });

    test("three seconds after a database has recovered", async () => {
      expect(await refused(REAL_CLIENTS["tenfold-database"], { from: 33_000 })).toBe(0);
    });

    test("while there is half the room, three seconds after there was three times of it", async () => {
      for (const from of [13_000, 23_000, 33_000]) {
        expect.soft(await refused(REAL_CLIENTS.alternating, { from, to: from + 2000 })).toBe(0);
      }
    });
  });
}
