/** `penalty` of rules: keys that are refused again and again are blocked. */
import { memoryStore, type Store } from "spillway";
import { manualClock } from "spillway/testing";
import { describe, expect, it } from "vitest";
import { createService } from "../../src/index.ts";
import { listRules, type Rules } from "../../src/rules/index.ts";
import { problemsOf, rulesOf } from "../support/rules.ts";

const PENALTY = "{ after: 3, within: 5m, block: 1m, most: 90s }";

const fileOf = (rateLimit: string) =>
  `domain: d\ndescriptors: [{ key: user, rate_limit: { ${rateLimit} } }]`;

const RULES: Rules = rulesOf(fileOf(`unit: second, requests_per_unit: 1, penalty: ${PENALTY}`));

const REQUEST = { domain: "d", descriptors: [{ entries: [{ key: "user", value: "ann" }] }] };

describe("penalty", () => {
  it("is a field of the limit", () => {
    const [rule] = listRules(RULES);
    expect(rule?.limit).toMatchObject({
      penalty: { after: 3, within: "5m", block: "1m", most: "90s" },
    });
  });

  it("blocks a key with the refusal that is one too many, and longer the next time", async () => {
    const clock = manualClock();
    const service = createService({ rules: RULES, clock });
    const ask = async () => (await service.limit(REQUEST)).outcomes[0]?.decision;
    const asked = async (times: number) => {
      for (let n = 1; n < times; n++) await ask();
      return ask();
    };
    expect(await asked(4)).toMatchObject({ reason: "penalized", retryAfter: 60_000 });
    clock.advance(59_999);
    expect(await ask()).toMatchObject({ reason: "penalized", retryAfter: 1 });
    clock.advance(1);
    expect(await asked(4)).toMatchObject({ reason: "penalized", retryAfter: 90_000 });
  });

  it("counts no refusals of requests that only look", async () => {
    const service = createService({ rules: RULES, clock: manualClock() });
    await service.limit(REQUEST);
    for (let n = 1; n <= 5; n++) await service.check(REQUEST);
    const { outcomes } = await service.limit(REQUEST);
    expect(outcomes[0]?.decision.reason).toBe("limited");
  });

  it("is refused by a store that counts no refusals, before and after the start", async () => {
    const { penalties: _, ...rest } = partsOf(memoryStore());
    const store = rest as Store;
    const place = { code: "no-penalties", file: "rules.yaml", line: 2 };
    expect(() => createService({ rules: RULES, store })).toThrow(/no-penalties found penalty/);
    const service = createService({ rules: rulesOf(fileOf("unit: day")), store });
    await expect((async () => service.prepareRules(RULES))()).rejects.toMatchObject({
      problems: [place],
    });
  });
});

/** A store's own members, without what is true of it. */
function partsOf(store: Store<"now">): Store<"now"> {
  return { timing: "now", penalties: true, execute: (command) => store.execute(command) };
}

describe("a penalty of a file", () => {
  it.each([
    ["{ after: 3, within: 5m, block: 1m }", "bad-penalty", "found no most"],
    ["{ after: 1000001, within: 5m, block: 1m, most: 1m }", "bad-penalty", "from 1 to 1000000"],
    ["{ after: 3, within: 5, block: 1m, most: 1m }", "bad-penalty", 'such as "90s"'],
    ["{ after: 3, within: 5m, block: 2m, most: 1m }", "bad-penalty", "found most 1m beside"],
    ["{ after: 3, within: 5m, block: 2m, most: 1h, jitter: 1m }", "unknown-field", "jitter"],
    ["3", "wrong-type", "penalty, a map of fields"],
  ])("%s is refused: %s", (penalty, code, text) => {
    const [problem, ...others] = problemsOf(
      fileOf(`unit: day, requests_per_unit: 5, penalty: ${penalty}`),
    );
    expect(others).toEqual([]);
    expect(problem).toMatchObject({ code });
    expect(`found ${problem?.found}, expected ${problem?.expected}`).toContain(text);
  });

  it.each([
    [`unit: day, requests_per_unit: 5, shards: 2, penalty: ${PENALTY}`, "no-penalties"],
    [`kind: concurrency, capacity: 5, ttl: 30s, penalty: ${PENALTY}`, "field-of-other-kind"],
    [`unlimited: true, penalty: ${PENALTY}`, "unlimited-with-limit"],
  ])("beside %s is refused: %s", (rateLimit, code) => {
    expect(problemsOf(fileOf(rateLimit))).toMatchObject([{ code }]);
  });
});
