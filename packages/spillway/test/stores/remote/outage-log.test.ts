import { beforeEach, describe, expect, it } from "vitest";
import { MINUTE, SECOND, type WhenUnavailable } from "../../../src/limits/core/index.ts";
import { type OnEvent, outageLog, type StoreEvent } from "../../../src/stores/index.ts";
import { manualClock } from "../../../src/testing/index.ts";

const NAME = "redis+cluster://10.0.0.1:6379";
const SHOWN = `${NAME}, node 10.0.0.1:6379,`;
const node = "10.0.0.1:6379";
const failed: StoreEvent = { type: "failed", node, error: new Error("late"), calls: 3 };
const paused: StoreEvent = { type: "paused", node, failures: 5, pause: 1000 };
const resumed: StoreEvent = { type: "resumed", node };
const late: StoreEvent = { type: "late", node, ms: 63, deadline: 50 };

function degraded(limit: string, whenUnavailable: WhenUnavailable = "closed"): StoreEvent {
  return { type: "degraded", limit, whenUnavailable, ok: whenUnavailable !== "closed" };
}

let lines: string[];
let clock: ReturnType<typeof manualClock>;
let log: OnEvent;
beforeEach(() => {
  lines = [];
  clock = manualClock(0);
  log = outageLog({ name: NAME, warn, clock });
});

function warn(line: string): void {
  lines.push(line);
}

/** What is said by the end of the turn. */
async function saidOf(...events: readonly StoreEvent[]): Promise<readonly string[]> {
  lines = [];
  for (const event of events) log(event);
  await Promise.resolve();
  return lines;
}

describe("an outage", () => {
  it("is said when it begins, with what each limit answers, and when it ends", async () => {
    const begun = [failed, degraded("logins"), degraded("api", "open"), degraded("mail", "local")];
    expect(await saidOf(...begun)).toEqual([
      `${SHOWN} failed: late. Meanwhile the limit logins refuses every request (whenUnavailable: ` +
        `"closed"), api admits every request (whenUnavailable: "open"), mail counts in this ` +
        `process only (whenUnavailable: "local")`,
    ]);
    expect(await saidOf(failed, paused, degraded("logins"))).toEqual([
      `${SHOWN} failed 5 times in a row: it receives one probe every 1000 ms, and limits decide ` +
        `without it`,
    ]);
    expect(await saidOf(resumed)).toEqual([
      `${SHOWN} answers again; 4 decisions were made without it`,
    ]);
  });

  it("names three limits", async () => {
    const [line] = await saidOf(failed, ...["a", "b", "c", "d", "e"].map((name) => degraded(name)));
    expect(line).toMatch(
      / c refuses every request \(whenUnavailable: "closed"\), and other limits follow their own$/,
    );
  });

  it("that goes on is said once a minute", async () => {
    await saidOf(failed, paused);
    clock.advance(MINUTE - 1);
    expect(await saidOf(failed)).toEqual([]);
    clock.advance(1);
    expect(await saidOf(failed, failed)).toEqual([`${SHOWN} has not answered for 60 s: late`]);
    clock.advance(30 * SECOND);
    expect(await saidOf(failed)).toEqual([]);
  });

  it("that comes and goes is said once a minute, its ends with it", async () => {
    expect(await saidOf(failed, paused, resumed)).toHaveLength(3);
    expect(await saidOf(failed, paused, resumed, failed, paused, failed, resumed)).toEqual([]);
    clock.advance(MINUTE);
    expect(await saidOf(failed, paused, resumed)).toHaveLength(3);
  });

  it("that comes again within a minute and lasts is said once that is over, and its end", async () => {
    await saidOf(failed, paused, resumed);
    clock.advance(30 * SECOND);
    expect(await saidOf(failed, paused)).toEqual([]);
    clock.advance(MINUTE);
    expect(await saidOf(failed)).toEqual([`${SHOWN} has not answered for 60 s: late`]);
    expect(await saidOf(resumed)).toHaveLength(1);
  });

  it("is said of each node, and of each slot", async () => {
    await saidOf(failed, paused);
    const [other] = await saidOf({ ...paused, node: "10.0.0.2:6379" });
    expect(other).toContain("10.0.0.2:6379");
    const [slot] = await saidOf({ ...paused, slot: 7 });
    expect(slot).toContain("10.0.0.1:6379, slot 7, failed 5 times");
  });
});

it("says failures that come alone once a minute", async () => {
  expect(await saidOf(failed, failed)).toHaveLength(1);
  clock.advance(MINUTE - 1);
  expect(await saidOf(failed)).toEqual([]);
  clock.advance(1);
  expect(await saidOf(failed)).toHaveLength(1);
});

describe("why", () => {
  it("is what explains the failure better than its error", async () => {
    log = outageLog({
      name: NAME,
      warn,
      clock,
      explain: ({ message }) => `no route, so ${message}`,
    });
    expect(await saidOf(failed)).toEqual([`${SHOWN} failed: no route, so late`]);
  });

  it("has no secret of a driver's message in it", async () => {
    const error = new Error("redis://me:hunter2@10.0.0.1:6379 refuses");
    const [line] = await saidOf({ ...failed, error });
    expect(line).not.toContain("hunter2");
  });

  it("is each address's where there are several", async () => {
    const error = new AggregateError([new Error("::1 refuses"), new Error("127.0.0.1 refuses")]);
    expect(await saidOf({ ...failed, error })).toEqual([
      `${SHOWN} failed: ::1 refuses, 127.0.0.1 refuses`,
    ]);
  });

  it("is that of the first few where there are thousands", async () => {
    const error = new AggregateError(Array.from({ length: 1000 }, () => new Error("refused")));
    expect(await saidOf({ ...failed, error })).toEqual([
      `${SHOWN} failed: refused, refused, refused, refused, and 996 others`,
    ]);
  });

  it("is said of an error that can't be read", async () => {
    const get = () => {
      throw new Error("evil");
    };
    const error = Object.defineProperty(new Error(), "message", { get });
    expect(await saidOf({ ...failed, error })).toEqual([
      `${SHOWN} failed: an error that can't be read`,
    ]);
  });

  it.each([
    ["throws", () => JSON.parse("{")],
    ["returns a promise that rejects", () => Promise.reject(new Error("no"))],
    ["returns no text", () => 7],
  ])("is the error's own where what explains it %s", async (_, explain) => {
    const lines: string[] = [];
    const log = outageLog({ explain: explain as never, warn: (line) => lines.push(line) });
    log({ ...failed, error: new Error("refused") });
    // Longer than Node takes to say that nobody handles a rejection, which fails a test.
    await new Promise((resolve) => setImmediate(resolve));
    expect(lines).toEqual([`${failed.node} failed: refused`]);
  });
});

describe("answers after the deadline", () => {
  it("are said where they are no accident, with a deadline that would do", async () => {
    expect(await saidOf(late, late)).toEqual([]);
    expect(await saidOf(late, late)).toEqual([
      `${SHOWN} answers too late: 3 answers within a minute came after the deadline of 50 ms, ` +
        `the last after 63 ms, so their calls were answered without it. If this happens often, ` +
        `raise the deadline: { deadline: 200 }`,
    ]);
  });

  it("are counted by the minute", async () => {
    await saidOf(late, late);
    clock.advance(MINUTE);
    expect(await saidOf(late, late)).toEqual([]);
  });

  it("get no deadline that is none", async () => {
    const slow = { ...late, ms: 40_000 };
    const [line] = await saidOf(slow, slow, slow);
    expect(line).toMatch(/\{ deadline: 60000 \}$/);
  });
});

it("says what is no outage once a minute, each for itself", async () => {
  const others: StoreEvent[] = [
    { type: "disagreed", node, error: new Error("2 budgets charged, expected 1"), calls: 3 },
    { type: "overflowed", node, calls: 8, most: 100 },
    { type: "unreleased", limit: "shop/jobs" },
  ];
  expect(await saidOf(...others, ...others)).toEqual([
    `${SHOWN} sent a reply that this program can't read, and 3 calls were refused: 2 budgets ` +
      `charged, expected 1`,
    `${SHOWN} already has 100 waiting calls: 8 more were refused`,
    `a lease of the limit shop/jobs could not be released in ${NAME}: its units ` +
      "stay in flight until its ttl ends",
  ]);
  clock.advance(MINUTE);
  expect(await saidOf(...others)).toHaveLength(3);
});

it.each([
  ["redis", "redis://10.0.0.1:6379/0", "redis://10.0.0.1:6379/0"],
  ["postgres", "postgres://10.0.0.1:5432/app", "postgres://10.0.0.1:5432/app"],
  ["sqlite, writing", "sqlite:/limits.db", "sqlite:/limits.db, writing"],
  ["redis", "redis", "redis"],
])("names a store once, not by its kind beside: %s", async (kind, name, shown) => {
  log = outageLog({ name, warn, clock });
  expect(await saidOf({ ...failed, node: kind })).toEqual([`${shown} failed: late`]);
});
