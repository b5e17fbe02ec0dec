/** `start` and `jitter` of rules: when windows begin, and how waits are spread. */
import { manualClock } from "spillway/testing";
import { describe, expect, it } from "vitest";
import { createService, type Rule } from "../../src/index.ts";
import { describeRule } from "../../src/process/console/listing.ts";
import { listRules } from "../../src/rules/index.ts";
import { toResponse } from "../../src/transports/envoy/index.ts";
import { rulesOf } from "../support/rules.ts";

const DAY = 86_400_000;

const file = (rateLimit: string) =>
  rulesOf(`domain: d\ndescriptors: [{ key: user, rate_limit: { ${rateLimit} } }]`);

function ruleOf(rateLimit: string): Rule {
  return listRules(file(rateLimit))[0] as Rule;
}

const startOf = (start: string) =>
  (ruleOf(`unit: day, requests_per_unit: 1, start: ${start}`).limit as { start?: number }).start;

/** A service of one rule at an instant, and a request of one user to it. */
function served(rateLimit: string, draw = 0) {
  const clock = manualClock();
  const service = createService({ rules: file(rateLimit), clock, random: () => draw });
  const request = (user: string, more: object = {}) => ({
    domain: "d",
    descriptors: [{ entries: [{ key: "user", value: user }], ...more }],
  });
  return { clock, service, request };
}

describe("start", () => {
  it.each([
    ["2026-01-05", Date.UTC(2026, 0, 5)],
    ["2024-02-29", Date.UTC(2024, 1, 29)],
    ['"2026-01-05T06:30Z"', Date.UTC(2026, 0, 5, 6, 30)],
    ['"2026-01-05T06:30:15+01:00"', Date.UTC(2026, 0, 5, 5, 30, 15)],
    ['"2026-01-05T06:30:15.250-00:30"', Date.UTC(2026, 0, 5, 7, 0, 15, 250)],
    ['"1969-12-31"', -DAY],
    ["null", 0],
    ["per key", undefined],
  ])("%s is the instant of a window", (text, start) => {
    expect(startOf(text)).toBe(start);
  });

  it("left out is that of UTC, for windows only", () => {
    for (const kind of ["fixed window", "sliding window"]) {
      expect(ruleOf(`kind: ${kind}, unit: day, requests_per_unit: 1`).limit).toMatchObject({
        start: 0,
      });
    }
    expect(ruleOf("kind: token bucket, unit: day, requests_per_unit: 1").limit).not.toHaveProperty(
      "start",
    );
  });

  it("refuses until its window ends", async () => {
    for (const start of ["2026-01-05T06:00Z", "2100-01-05T06:00Z"]) {
      const { clock, service, request } = served(
        `unit: day, requests_per_unit: 1, start: "${start}"`,
      );
      await service.limit(request("ann"));
      const { joint } = await service.limit(request("ann"));
      const into = (((clock() - Date.parse(start)) % DAY) + DAY) % DAY;
      expect(joint).toMatchObject({ ok: false, retryAfter: DAY - into });
    }
  });

  it("per key gives each key windows of its own", async () => {
    const { service, request } = served("unit: day, requests_per_unit: 1, start: per key");
    const waits = new Set<number>();
    for (const user of ["ann", "bob", "eve"]) {
      await service.limit(request(user));
      const { joint } = await service.limit(request(user));
      expect(joint?.retryAfter).toBeGreaterThan(0);
      waits.add(joint?.retryAfter as number);
    }
    expect(waits.size).toBe(3);
  });

  it.each(['start: "2026-01-05T06:00Z"', 'start: "2100-01-05T06:00Z"', "start: per key"])(
    "with %s tells Envoy when the window ends",
    async (start) => {
      const { service, request } = served(`unit: day, requests_per_unit: 1, ${start}`);
      const response = await service.limit(request("ann"));
      const reset = response.joint?.resetAfter as number;
      const message = toResponse(response, {
        request: { domain: "d", hitsAddend: 0, descriptors: [] } as never,
        options: {},
        settings: {},
      });
      expect(message.statuses[0]?.durationUntilReset).toBe(Math.ceil(reset / 1000));
    },
  );

  it("is no counter of envoyproxy/ratelimit's, whose windows are those of UTC", async () => {
    for (const [start, remaining] of [
      ["2026-01-05", 1],
      ["1970-01-01", 0],
    ] as const) {
      const rules = file(`unit: day, requests_per_unit: 3, start: ${start}`);
      const service = createService({ rules, settings: { chargeRefused: true } });
      const { request } = served("unit: day, requests_per_unit: 1");
      await service.limit(request("ann", { count: 2 }));
      await service.limit(request("ann", { count: 2 }));
      const { outcomes } = await service.check(request("ann", { count: 0 }));
      expect(outcomes[0]?.decision.remaining).toBe(remaining);
    }
  });

  it("is listed where it is not that of UTC", () => {
    const said = (start: string) => describeRule(ruleOf(`unit: day, requests_per_unit: 1${start}`));
    expect(said("")).toBe("fixed window, 1 per day");
    expect(said(", start: 1970-01-01")).toBe("fixed window, 1 per day");
    expect(said(", start: 2026-01-05")).toBe(
      "fixed window, 1 per day, windows from 2026-01-05T00:00:00.000Z",
    );
    expect(said(", start: per key")).toBe("fixed window, 1 per day, windows per key");
    expect(describeRule(ruleOf("kind: token bucket, unit: day, requests_per_unit: 1"))).toBe(
      "token bucket, 1 per day",
    );
  });
});

describe("jitter", () => {
  const BUCKET = "kind: token bucket, unit: second, requests_per_unit: 10, max_reserved: 5";

  it.each([
    [0, 100],
    [0.5, 1100],
    [0.999_999, 2099],
  ])("with a draw of %d makes a refusal's wait of 100 ms one of %d", async (draw, retryAfter) => {
    const { service, request } = served(`${BUCKET}, jitter: 1999ms`, draw);
    await service.limit(request("ann", { count: 10 }));
    const refused = await service.limit(request("ann"));
    expect(refused.joint).toMatchObject({ ok: false, retryAfter });
    expect(refused.outcomes[0]?.decision.retryAfter).toBe(retryAfter);
    const checked = await service.check(request("ann"));
    expect(checked.joint).toMatchObject({ ok: false, retryAfter });
  });

  it("spreads starts that are later, none that is at once, and no wait that never ends", async () => {
    const { service, request } = served(`${BUCKET}, jitter: 99ms`, 0.5);
    const now = await service.limit(request("ann", { count: 10 }));
    expect(now.joint).toMatchObject({ ok: true, retryAfter: 0 });
    const later = await service.limit(request("ann", { reserve: true }));
    expect(later.joint).toMatchObject({ ok: true, retryAfter: 150 });
    const never = await service.limit(request("ann", { count: 99 }));
    expect(never.joint).toMatchObject({ ok: false, retryAfter: Infinity });
  });

  it("is that of the limit which decided", async () => {
    const rules = rulesOf(`
domain: d
descriptors:
  - key: team
    rate_limit: { kind: token bucket, unit: second, requests_per_unit: 1, jitter: 9999ms }
    descriptors:
      - key: user
        rate_limit: { kind: token bucket, unit: minute, requests_per_unit: 2, jitter: 99ms, also: parent }
`);
    const clock = manualClock();
    const service = createService({ rules, clock, random: () => 0.5 });
    const entries = ["team", "user"].map((key) => ({ key, value: "a" }));
    const request = { domain: "d", descriptors: [{ entries }] };
    await service.limit(request);
    expect((await service.limit(request)).joint?.retryAfter).toBe(1000 + 5000);
    clock.advance(1000);
    await service.limit(request);
    clock.advance(1000);
    expect((await service.limit(request)).joint?.retryAfter).toBe(28_000 + 50);
  });

  it("is listed, and draws whole milliseconds by itself", async () => {
    const text = "token bucket, 10 per second, waits up to 1500 ms longer at random";
    expect(describeRule(ruleOf(`${BUCKET}, jitter: 1500ms`))).toBe(text);
    const service = createService({ rules: file(`${BUCKET}, jitter: 1s`), clock: manualClock() });
    const { request } = served(BUCKET);
    await service.limit(request("ann", { count: 10 }));
    for (let n = 0; n < 20; n++) {
      const { joint } = await service.check(request("ann"));
      expect(Number.isInteger(joint?.retryAfter)).toBe(true);
      expect(joint?.retryAfter).toBeGreaterThanOrEqual(100);
      expect(joint?.retryAfter).toBeLessThanOrEqual(1100);
    }
  });
});
