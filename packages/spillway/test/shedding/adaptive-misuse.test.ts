import { expect, test } from "vitest";
import { adaptiveShedder, type Priority, type Work } from "../../src/shedding/index.ts";
import { ask, fresh } from "./adaptive-scene.ts";

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

test("who writes `capacity`, as for other shedders, is shown `cap`", () => {
  const made = () => adaptiveShedder({ capacity: 100 } as never);
  expect(made).toThrow(expect.objectContaining({ code: "unknown-field", field: "capacity" }));
  expect(made).toThrow("Did you mean cap?");
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
