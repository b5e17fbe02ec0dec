import { seededRandom } from "spillway/testing";
import { expect, test } from "vitest";
import {
  type AdaptiveShedderOptions,
  type Admission,
  adaptiveShedder,
  type CapSample,
  PRIORITIES,
  type Priority,
  type ShedderEvent,
  type Work,
} from "../../src/shedding/index.ts";
import { ManualScheduler } from "./manual-scheduler.ts";

/** A shedder on manual time, whose gate is at its threshold by default, and its events. */
function fresh(options: AdaptiveShedderOptions = {}) {
  const scheduler = new ManualScheduler();
  const events: ShedderEvent[] = [];
  const shedder = adaptiveShedder({
    scheduler,
    clock: () => 0,
    random: seededRandom(1),
    gate: () => 1,
    onEvent: (event) => events.push(event),
    ...options,
  });
  return { scheduler, events, shedder };
}

type Fresh = ReturnType<typeof fresh>;

/** Asks, and notes the answer when it is there. */
function ask({ shedder }: Fresh, work: Work = {}) {
  const asked: { answer?: Admission } = {};
  const answer = shedder.admit(work);
  if (answer instanceof Promise)
    answer.then((admission) => Object.assign(asked, { answer: admission }));
  else asked.answer = answer;
  return asked;
}

/** Four in flight, which is the least cap, so that what comes next has to wait. */
function busy(options: AdaptiveShedderOptions = {}) {
  const all = fresh({ least: 4, most: 4, ...options });
  const inFlight = Array.from({ length: 4 }, () => ask(all));
  return { ...all, inFlight };
}

test("while there is room work starts at once, and its end is told once", () => {
  const all = fresh();
  const { answer } = ask(all, { priority: "low", cohort: "a" });
  expect(answer).toMatchObject({ ok: true, limit: "adaptive", priority: "low", retryAfter: 0 });
  expect(all.shedder.stats()).toMatchObject({ inFlight: 1, waiting: 0, share: 1 });
  answer?.done();
  answer?.done("failed");
  answer?.[Symbol.dispose]();
  expect(all.shedder.stats()).toMatchObject({ inFlight: 0, admitted: { low: 1 } });
});

test("a using block tells that work failed, unless it was told before", () => {
  const samples: CapSample[] = [];
  const cap = { cap: 4, learn: (sample: CapSample) => samples.push(sample), backOff: () => {} };
  const all = fresh({ cap });
  const end = (isTold: boolean) => {
    using answer = ask(all).answer as Admission;
    if (isTold) answer.done();
  };
  end(false);
  expect([samples.length, all.shedder.stats().inFlight]).toEqual([0, 0]);
  end(true);
  expect([samples.length, all.shedder.stats().inFlight]).toEqual([1, 0]);
});

test("what is beyond the cap waits, the most important first, and starts when something ends", async () => {
  const all = busy();
  const low = ask(all, { priority: "low" });
  const critical = ask(all, { priority: "critical" });
  await all.scheduler.turn();
  expect([low.answer, critical.answer]).toEqual([undefined, undefined]);
  expect(all.shedder.stats()).toMatchObject({ inFlight: 4, waiting: 2 });
  all.inFlight[0]?.answer?.done();
  await all.scheduler.turn();
  expect(critical.answer?.ok).toBe(true);
  expect(low.answer).toBeUndefined();
  critical.answer?.done();
  await all.scheduler.turn();
  expect(low.answer?.ok).toBe(true);
});

test("in a turn that has been busy for long, work waits for what else is to be heard", async () => {
  const all = fresh({ slice: 10 });
  expect(ask(all).answer?.ok).toBe(true);
  all.scheduler.burn(10);
  const low = ask(all, { priority: "low" });
  const normal = ask(all);
  expect(all.shedder.stats().waiting).toBe(2);
  await all.scheduler.turn();
  await all.scheduler.turn();
  // A connection that was accepted in the last turn is read in the next.
  expect(all.shedder.stats().waiting).toBe(2);
  await all.scheduler.turn();
  expect([low.answer?.ok, normal.answer?.ok]).toEqual([true, true]);
  expect(ask(all).answer?.ok).toBe(true);
});

test("work whose deadline passed is not started", async () => {
  const all = busy();
  const late = ask(all, { deadline: 50 });
  await all.scheduler.advance(100);
  expect(late.answer).toMatchObject({ ok: false, reason: "shed", limit: "adaptive" });
  expect(late.answer?.retryAfter).toBeGreaterThan(0);
  expect(all.events).toContainEqual(expect.objectContaining({ type: "shed", cause: "late" }));
  late.answer?.done();
  expect(all.shedder.stats()).toMatchObject({ inFlight: 4, shed: { normal: 1 } });
});

test("work is refused when its deadline passes, not when others are looked after", async () => {
  const all = busy();
  const patient = ask(all);
  const hasty = ask(all, { deadline: 20 });
  await all.scheduler.advance(19);
  expect(hasty.answer).toBeUndefined();
  await all.scheduler.advance(1);
  expect(hasty.answer?.ok).toBe(false);
  const hastier = ask(all, { deadline: 10.5 });
  await all.scheduler.advance(11);
  expect(hastier.answer?.ok).toBe(false);
  expect(patient.answer).toBeUndefined();
});

test("work that stands by is not started when it is late", async () => {
  const all = busy();
  await drown(all);
  // Even of what is critical only a part stays: this stands by.
  expect(all.shedder.stats().shed.critical).toBeGreaterThan(0);
  const late = ask(all, { priority: "background", deadline: 20 });
  expect(late.answer).toBeUndefined();
  all.scheduler.burn(60);
  for (const { answer } of all.inFlight) answer?.done();
  await all.scheduler.turn();
  expect(late.answer?.ok).toBe(false);
  expect(all.events).toContainEqual(
    expect.objectContaining({ priority: "background", cause: "late" }),
  );
});

test("what stood by in vain is no sign that too much is let in", async () => {
  const all = busy();
  let critical = [...all.inFlight, ...(await drown(all))];
  await all.scheduler.advance(1000);
  const { share } = all.shedder.stats();
  for (let step = 0; step < 60; step++) {
    // What is critical takes all there is, but waits for nothing.
    for (const { answer } of critical) answer?.done();
    critical = Array.from({ length: 4 }, () => ask(all, { priority: "critical" }));
    ask(all, { priority: "background" });
    await all.scheduler.advance(100);
  }
  expect(all.events).toContainEqual(
    expect.objectContaining({ priority: "background", cause: "share" }),
  );
  expect(all.shedder.stats().share).toBeGreaterThan(share);
});

test("no more waits than may, for it is memory", async () => {
  const all = busy({ maxWaiting: 2 });
  const waiting = [ask(all), ask(all)];
  expect(ask(all).answer).toMatchObject({ ok: false });
  expect(all.events).toContainEqual(expect.objectContaining({ type: "shed", cause: "full" }));
  expect(waiting.map(({ answer }) => answer)).toEqual([undefined, undefined]);
  expect(ask(all, { priority: "critical" }).answer).toBeUndefined();
  await all.scheduler.turn();
  expect(waiting[0]?.answer?.ok).toBe(false);
  expect(all.shedder.stats().waiting).toBe(2);
});

test("a number is a cap that stays what it is", async () => {
  const all = fresh({ cap: 2, gate: () => 1.5 });
  const inFlight = [ask(all), ask(all)];
  expect(inFlight.map(({ answer }) => answer?.ok)).toEqual([true, true]);
  expect(ask(all).answer).toBeUndefined();
  await all.scheduler.advance(2000);
  ask(all);
  expect(all.shedder.stats().capacity).toBe(2);
});

test("a cap that fails stays what it was, stops nobody, and is reported once", async () => {
  let told: unknown = 4;
  const fail = () => {
    throw new Error("not now");
  };
  const cap = {
    get cap() {
      if (told === "throw") fail();
      return told as number;
    },
    learn: fail,
    backOff: fail,
  };
  const all = fresh({ cap, gate: () => 1.5 });
  for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, 0, 0.5, "9", "throw"]) {
    told = bad;
    expect(all.shedder.stats().capacity).toBe(4);
  }
  const inFlight = Array.from({ length: 4 }, () => ask(all));
  expect(ask(all).answer).toBeUndefined();
  for (const { answer } of inFlight) answer?.done();
  await all.scheduler.advance(5000);
  ask(all).answer?.done();
  expect(all.events).toEqual(
    Array.from({ length: 4 }, () => expect.objectContaining({ type: "signal failed" })),
  );
  told = 7;
  expect(all.shedder.stats().capacity).toBe(7);
  told = -1;
  expect(all.shedder.stats().capacity).toBe(7);
  expect(all.events).toHaveLength(5);
});

test("a health check is admitted whatever happens, and counted nowhere", () => {
  const all = busy();
  const { answer } = ask(all, { exempt: true });
  expect(answer?.ok).toBe(true);
  expect(all.shedder.stats()).toMatchObject({ inFlight: 4, admitted: { normal: 4 } });
  answer?.done();
  expect(all.shedder.stats().inFlight).toBe(4);
});

test("where too much waits, what matters less goes for what matters more", async () => {
  const all = busy({ maxWaiting: 2 });
  const [background, low] = (["background", "low"] as const).map((priority) =>
    ask(all, { priority }),
  );
  const normal = ask(all);
  expect(ask(all, { priority: "low" }).answer).toMatchObject({ ok: false, reason: "shed" });
  await all.scheduler.turn();
  expect(background?.answer?.ok).toBe(false);
  expect([low?.answer, normal.answer]).toEqual([undefined, undefined]);
  expect(all.shedder.stats()).toMatchObject({ waiting: 2, shed: { low: 1, background: 1 } });
});

/** Ends nothing, so that what comes waits for long: until it is overloaded. What was asked. */
async function drown(all: Fresh, seconds = 3) {
  const asked: ReturnType<typeof ask>[] = [];
  for (let step = 0; step < seconds * 10; step++) {
    for (const priority of PRIORITIES) asked.push(ask(all, { priority }));
    await all.scheduler.advance(100);
  }
  return asked;
}

test("where work waits for long it refuses, the least important first, and tells when it begins", async () => {
  const all = busy();
  await drown(all);
  const { shed } = all.shedder.stats();
  expect(shed.background).toBeGreaterThan(0);
  expect(shed.background).toBeGreaterThanOrEqual(shed.low);
  expect(shed.low).toBeGreaterThanOrEqual(shed.normal);
  expect(all.events.filter(({ type }) => type === "overloaded")).toHaveLength(1);
});

test("while its gate is cold and its cap not reached, nothing is refused", async () => {
  const cold = fresh({ gate: () => 0.5, slice: 0.1 });
  ask(cold);
  for (let step = 0; step < 50; step++) {
    cold.scheduler.burn(20);
    ask(cold, { priority: "background" });
  }
  await cold.scheduler.turn();
  expect(Object.values(cold.shedder.stats().shed)).toEqual([0, 0, 0, 0]);
});

test("a signal that fails sheds nobody, and is reported once", async () => {
  const gates = [
    () => Number.NaN,
    () => {
      throw new Error("no such file");
    },
    () => "busy" as never,
  ];
  for (const gate of gates) {
    const all = fresh({ gate });
    for (let step = 0; step < 50; step++) {
      ask(all, { priority: "background" }).answer?.done();
      await all.scheduler.advance(100);
    }
    expect(all.shedder.stats()).toMatchObject({ shed: { background: 0 }, share: 1 });
    expect(all.events.map(({ type }) => type)).toEqual(["signal failed"]);
  }
});

test("where nobody knows whether the process is busy, what waits for long tells", async () => {
  const all = fresh({ gate: () => undefined, slice: 0.1 });
  ask(all);
  for (let step = 0; step < 100; step++) {
    // Each turn is too busy for what comes: it waits, and more comes than has its turn.
    for (let each = 0; each < 3; each++) {
      all.scheduler.burn(20);
      ask(all, { priority: "background" });
    }
    await all.scheduler.turn();
  }
  expect(all.shedder.stats().shed.background).toBeGreaterThan(0);
});

test("after a silence an overload is over", async () => {
  const all = busy();
  const asked = await drown(all);
  expect(all.shedder.stats().share).toBeLessThan(1);
  await all.scheduler.advance(1000);
  for (const { answer } of [...all.inFlight, ...asked]) answer?.done();
  expect(all.shedder.stats()).toMatchObject({ inFlight: 0, waiting: 0 });
  all.scheduler.burn(8 * 3_600_000);
  expect(ask(all, { priority: "background" }).answer?.ok).toBe(true);
  expect(all.shedder.stats().share).toBe(1);
  expect(all.events.at(-1)).toMatchObject({ type: "recovered" });
});

test("a gate above 1 lets less into flight", async () => {
  const all = fresh({ gate: () => 1.5 });
  for (let step = 0; step < 100; step++) {
    ask(all).answer?.done();
    await all.scheduler.advance(100);
  }
  expect(all.shedder.stats().capacity).toBeLessThan(32);
});

test("its own refusals, and work that failed, teach it nothing of latency", async () => {
  const samples: number[] = [];
  const cap = { cap: 4, learn: () => samples.push(1), backOff: () => {} };
  const all = fresh({ cap });
  const inFlight = Array.from({ length: 4 }, () => ask(all));
  // Not so long that it would be taken for a stream.
  await drown(all, 0.9);
  expect(all.shedder.stats().shed.background).toBeGreaterThan(0);
  expect(samples).toEqual([]);
  inFlight[0]?.answer?.done("failed");
  expect(samples).toEqual([]);
  inFlight[1]?.answer?.done("served");
  expect(samples).toEqual([1]);
});

test("in shadow it starts all work at once, and tells what it would have refused", async () => {
  const all = busy({ shadow: true });
  for (let step = 0; step < 30; step++) {
    for (const priority of PRIORITIES) expect(ask(all, { priority }).answer?.ok).toBe(true);
    await all.scheduler.advance(100);
  }
  expect(all.shedder.stats().shed.background).toBeGreaterThan(0);
  expect(all.events).toContainEqual(
    expect.objectContaining({ type: "shed", priority: "background", shadow: true }),
  );
});

test("in shadow, work that is over before its turn came is counted as it would have been", async () => {
  const all = busy({ shadow: true });
  const waiting = ask(all);
  waiting.answer?.done();
  for (const { answer } of all.inFlight) answer?.done();
  await all.scheduler.advance(1000);
  expect(all.shedder.stats()).toMatchObject({ inFlight: 0, waiting: 0, admitted: { normal: 5 } });
});

test("a listener that throws or rejects changes nothing", async () => {
  const all = busy({
    maxWaiting: 1,
    onEvent: () => {
      throw new Error("not here");
    },
  });
  ask(all);
  expect(ask(all).answer?.ok).toBe(false);
  const other = busy({ maxWaiting: 1, onEvent: () => Promise.reject(new Error("nor here")) });
  ask(other);
  expect(ask(other).answer?.ok).toBe(false);
});

test.for([
  [{ priority: "critcal" }, "bad-priority", 'Did you mean "critical"?'],
  [{ priority: "urgent" }, "bad-priority", "priorityOf(text)"],
  [{ priority: 1 }, "bad-priority", "one of"],
  [{ cohort: 7 }, "bad-work", "a string"],
  [{ deadline: "5" }, "bad-work", "milliseconds from now"],
  [{ deadline: Number.NaN }, "bad-work", "milliseconds from now"],
  [{ exempt: "yes" }, "bad-work", "true or false"],
  [{ signal: {} }, "bad-work", "an AbortSignal"],
  [{ signal: null }, "bad-work", "an AbortSignal"],
  [{ signal: { aborted: false, addEventListener() {} } }, "bad-work", "an AbortSignal"],
] as const)(
  "a value of work that is not understood counts as not given, and is reported once: %o",
  ([work, code, message]) => {
    const all = fresh();
    for (let each = 0; each < 3; each++) {
      const { answer } = ask(all, work as unknown as Work);
      expect(answer).toMatchObject({ ok: true, priority: "normal" });
    }
    expect(all.shedder.stats().inFlight).toBe(3);
    expect(all.events).toEqual([
      { type: "bad work", shedder: "adaptive", error: expect.objectContaining({ code }) },
    ]);
    const [event] = all.events;
    expect(event?.type === "bad work" && event.error.message).toContain(message);
  },
);

test.for([
  [{ prioritty: "low" }, "unknown-field", "Did you mean priority?"],
  [null, "bad-work", "a plain object"],
] as const)(
  "what no value from outside can be the cause of is thrown: %o",
  ([work, code, message]) => {
    const { shedder } = fresh();
    const act = () => shedder.admit(work as unknown as { priority: Priority });
    expect(act).toThrow(expect.objectContaining({ code }));
    expect(act).toThrow(message);
    expect(shedder.stats().inFlight).toBe(0);
  },
);

test("work whose client has gone is withdrawn while it waits, and is not started", async () => {
  const all = busy();
  const controllers = Array.from({ length: 3 }, () => new AbortController());
  const [first, second] = controllers.map(({ signal }) => ask(all, { signal }));
  controllers[2]?.abort();
  expect(ask(all, { signal: controllers[2]?.signal as AbortSignal }).answer?.ok).toBe(false);
  controllers[0]?.abort();
  await all.scheduler.turn();
  expect(first?.answer).toMatchObject({ ok: false, reason: "shed" });
  expect(all.shedder.stats()).toMatchObject({ waiting: 1, shed: { normal: 3 } });
  expect(all.events).toContainEqual(expect.objectContaining({ cause: "withdrawn" }));
  all.inFlight[0]?.answer?.done();
  await all.scheduler.turn();
  expect(second?.answer?.ok).toBe(true);
  // What has begun is its handler's.
  controllers[1]?.abort();
  expect(all.shedder.stats()).toMatchObject({ inFlight: 4, waiting: 0, shed: { normal: 3 } });
});

test("clients who give up show an overload as deadlines do", async () => {
  const all = busy();
  for (let step = 0; step < 40; step++) {
    const controller = new AbortController();
    for (let each = 0; each < 3; each++) ask(all, { signal: controller.signal });
    await all.scheduler.advance(100);
    controller.abort();
    await all.scheduler.turn();
  }
  expect(all.events.map(({ type }) => type)).toContain("overloaded");
  expect(all.shedder.stats().share).toBeLessThan(1);
});

test("a deadline that has passed is no time at all, not for ever", async () => {
  const all = busy();
  const late = ask(all, { deadline: -5 });
  await all.scheduler.turn();
  expect(late.answer?.ok).toBe(false);
  expect(all.events).toContainEqual(expect.objectContaining({ cause: "late" }));
});

test("however much waits, it can be refused", async () => {
  const all = busy({ maxWaiting: 1_000_000 });
  for (let each = 0; each < 200_000; each++) all.shedder.admit();
  all.scheduler.burn(700);
  await all.scheduler.advance(100);
  expect(all.shedder.stats()).toMatchObject({ waiting: 0, shed: { normal: 200_000 } });
});

test("in shadow, what ends before its turn came teaches nothing", async () => {
  const samples: CapSample[] = [];
  const cap = { cap: 1, learn: (sample: CapSample) => samples.push(sample), backOff: () => {} };
  const all = fresh({ cap, shadow: true });
  const [first, second] = [ask(all), ask(all)];
  await all.scheduler.advance(50);
  second.answer?.done();
  first.answer?.done();
  await all.scheduler.advance(50);
  expect(samples.map(({ started, ended }) => ended - started)).toEqual([50]);
});

test("what a gate or a cap promises ends no process", async () => {
  const reject = () => Promise.reject(new Error("not now")) as never;
  const all = fresh({ gate: reject, cap: { cap: 4, learn: reject, backOff: reject } });
  for (let step = 0; step < 30; step++) {
    ask(all).answer?.done();
    await all.scheduler.advance(100);
  }
  expect(all.events.map(({ type }) => type)).toEqual(["signal failed"]);
});

test("a stream that is announced is not in flight, and its time teaches nothing", () => {
  const samples: CapSample[] = [];
  const cap = { cap: 4, learn: (sample: CapSample) => samples.push(sample), backOff: () => {} };
  const all = fresh({ cap });
  ask(all).answer?.done("streaming");
  expect(all.shedder.stats()).toMatchObject({ inFlight: 0, held: 0, admitted: { normal: 1 } });
  expect(samples).toEqual([]);
});

test("responses that are held open shut nobody out, be they begun one by one or together", async () => {
  const all = fresh({ gate: () => 0.2, least: 4, most: 4 });
  const streams = Array.from({ length: 4 }, () => ask(all));
  expect(streams.every(({ answer }) => answer?.ok)).toBe(true);
  await all.scheduler.advance(900);
  // While they could be work like any other, what comes has to wait.
  const first = ask(all, { priority: "low" });
  await all.scheduler.advance(250);
  expect(first.answer?.ok).toBe(true);
  first.answer?.done();
  for (let each = 0; each < 100; each++) {
    const asked = ask(all);
    await all.scheduler.advance(20);
    expect(asked.answer?.ok).toBe(true);
    asked.answer?.done();
  }
  expect(all.shedder.stats()).toMatchObject({ inFlight: 0, held: 4, waiting: 0 });
  for (const { answer } of streams) answer?.done();
  expect(all.shedder.stats()).toMatchObject({ inFlight: 0, held: 0 });
});

test("a database that hangs gets little more to do, however long it does", async () => {
  const all = busy();
  for (let step = 0; step < 100; step++) {
    ask(all);
    await all.scheduler.advance(100);
  }
  const { inFlight, held, waiting } = all.shedder.stats();
  // One every tenth of a second, once nothing has ended for one.
  expect([inFlight, held >= 85, held <= 91]).toEqual([4, true, true]);
  expect(waiting).toBeLessThan(10);
});

test("what a listener causes itself is counted, and not reported without end", () => {
  let calls = 0;
  const onEvent = () => {
    calls++;
    ask(all);
  };
  const all = busy({ maxWaiting: 1, onEvent });
  ask(all);
  expect(ask(all).answer?.ok).toBe(false);
  expect(calls).toBe(1);
  expect(all.shedder.stats().shed.normal).toBe(2);
});

test("a clock that fails changes nobody's answer, and is reported", () => {
  for (const now of [() => Number.NaN, () => fail()]) {
    const all = fresh({ clock: now });
    expect(ask(all, { cohort: "a" }).answer?.ok).toBe(true);
    expect(ask(all, { cohort: "a" }).answer?.ok).toBe(true);
    expect(all.events.map(({ type }) => type)).toEqual(["signal failed"]);
  }
  function fail(): never {
    throw new Error("no time");
  }
});

test.for([
  [{ gate: 1 }, "gate"],
  [{ threshold: 2 }, "threshold"],
  [{ threshold: Number.NaN }, "threshold"],
  [{ least: 0 }, "least"],
  [{ least: 20, most: 10 }, "least"],
  [{ initial: 2, least: 4 }, "initial"],
  [{ tolerance: 1 }, "tolerance"],
  [{ target: 0 }, "target"],
  [{ window: 1 }, "window"],
  [{ maxWaiting: 0.5 }, "maxWaiting"],
  [{ slice: "1" }, "slice"],
  [{ interval: Infinity }, "interval"],
  [{ target: 200, interval: 199 }, "interval"],
  [{ name: "" }, "name"],
  [{ shadow: 1 }, "shadow"],
  [{ onEvent: 1 }, "onEvent"],
  [{ random: 1 }, "random"],
  [{ clock: 1 }, "clock"],
  [{ scheduler: {} }, "scheduler.elapsed"],
  [{ cap: { cap: 0, learn: () => {}, backOff: () => {} } }, "cap.cap"],
  [{ cap: {} }, "cap.learn"],
  [{ cap: null }, "cap.learn"],
  [{ cap: 0 }, "cap"],
  [{ cap: Number.NaN }, "cap"],
  [{ cap: 1.5 }, "cap"],
  [{ cap: 8, least: 0 }, "least"],
  [{ most: Number.NaN }, "most"],
  [{ traget: 5 }, "traget"],
] as const)("settings are checked when it is made: %o", ([options, field]) => {
  expect(() => adaptiveShedder(options as never)).toThrow(expect.objectContaining({ field }));
});
