/** What administrators override, what that decides, and what can't be overridden. */
import { describe, expect, it } from "vitest";
import { administered, audited, READ, type TestAdmin } from "../../support/administration.ts";
import { rulesOf } from "../../support/rules.ts";
import { descriptor } from "../../support/service.ts";
import { SHOP } from "../../support/shop.ts";

const HOUR = 3_600_000;

function keyed(...names: readonly string[]) {
  return { domain: "shop", descriptors: names.map((name) => descriptor(name)) };
}

const ann = keyed("user=ann");

/** The number of requests that are admitted, of `times`. */
async function admitted(admin: TestAdmin, request: typeof ann, times: number): Promise<number> {
  let count = 0;
  for (let n = 0; n < times; n++) {
    if ((await admin.service.limit(request)).joint?.ok) count++;
  }
  return count;
}

async function overrideOf(admin: TestAdmin, request: typeof ann): Promise<unknown> {
  const { body } = await admin.call("get", { body: request, token: READ });
  return (body.budgets as [{ override?: unknown }])[0].override;
}

describe("an override", () => {
  it("raises what a key may take until its end, and only that key", async () => {
    const admin = await administered();
    expect(await admitted(admin, ann, 9)).toBe(5);
    const body = { ...ann, rate: 50, for: 10_000, reason: "migration", version: 0 };
    const { body: done } = await admin.call("override", { body });
    expect(done).toMatchObject({ version: 1, values: [{ capacity: 50, remaining: 45 }] });
    expect(await admitted(admin, ann, 99)).toBe(45);
    expect(await admitted(admin, keyed("user=bob"), 9)).toBe(5);
    admin.now += 10_000;
    expect(await admitted(admin, ann, 9)).toBe(0);
  });

  it.each(["rate", "capacity"] as const)("of %s 0 refuses all", async (field) => {
    const admin = await administered();
    await admin.call("override", { body: { ...ann, rate: 0, [field]: 0, reason: "harm" } });
    expect(await admitted(admin, ann, 9)).toBe(0);
  });

  it("is shown with its end, its capacity and who made it, also after other changes", async () => {
    const admin = await administered();
    const body = { ...ann, capacity: 7, for: HOUR, reason: "migration" };
    await admin.call("override", { body, headers: { "spillway-as": "jo" } });
    await admin.call("reset", { body: ann });
    admin.now += 1000;
    const by = expect.objectContaining({ version: 1, what: "override", by: "change token as jo" });
    expect(await overrideOf(admin, ann)).toEqual({ for: HOUR - 1000, capacity: 7, by });
    admin.now += HOUR;
    expect(await overrideOf(admin, ann)).toBe(undefined);
  });

  it("is audited with what was before, what follows, and until when", async () => {
    const admin = await administered();
    await admitted(admin, ann, 2);
    await admin.call("override", { body: { ...ann, rate: 50, for: HOUR, reason: "migration" } });
    await admin.call("end-override", { body: ann });
    await admin.call("override", { body: { ...ann, unlimited: true, reason: "ours" } });
    expect(await audited(admin)).toMatchObject([
      {
        what: "override",
        on: ["shop/user=ann"],
        before: [{ remaining: 3, capacity: 5, blockedFor: 0 }],
        after: [{ capacity: 50, blockedFor: 0, overriddenFor: HOUR }],
        until: new Date(admin.now + HOUR).toISOString(),
      },
      {
        what: "end-override",
        before: [{ remaining: 48, capacity: 50, overriddenFor: HOUR }],
        after: [{ capacity: 5, blockedFor: 0 }],
      },
      { what: "override", before: [{ remaining: 3 }], after: [{ blockedFor: 0 }] },
    ]);
  });

  it("ends by itself never, where it has no time, and by end-override", async () => {
    const admin = await administered();
    await admin.call("override", { body: { ...ann, unlimited: true, reason: "ours" } });
    admin.now += 366 * 24 * HOUR;
    expect(await admitted(admin, ann, 99)).toBe(99);
    expect(await admin.call("end-override", { body: ann })).toMatchObject({
      status: 200,
      body: { values: [{ capacity: 5, remaining: 0 }] },
    });
    expect(await admitted(admin, ann, 9)).toBe(0);
  });

  it("of several descriptors has each rule's own period", async () => {
    const admin = await administered();
    const both = keyed("user=ann", "address=192.0.2.1");
    await admin.call("override", { body: { ...both, rate: 100, capacity: 100, reason: "x" } });
    expect(await admitted(admin, both, 199)).toBe(100);
    admin.now += 1000;
    expect(await admitted(admin, keyed("address=192.0.2.1"), 199)).toBe(100);
    expect(await admitted(admin, ann, 9)).toBe(0);
  });

  it("stays when the rules are replaced", async () => {
    const admin = await administered();
    await admin.call("override", { body: { ...ann, rate: 50, reason: "migration" } });
    await admin.service.replaceRules(
      rulesOf(SHOP.replace("requests_per_unit: 5", "requests_per_unit: 4")),
    );
    expect(await admitted(admin, ann, 99)).toBe(50);
    expect(await admitted(admin, keyed("user=bob"), 9)).toBe(4);
    await admin.call("end-override", { body: ann });
    expect(await overrideOf(admin, ann)).toBe(undefined);
  });
});

const OTHERS = `
domain: shop
descriptors:
  - key: shared
    rate_limit: { kind: token bucket, unit: minute, requests_per_unit: 60, share: 1s }
  - key: sharded
    rate_limit: { kind: token bucket, unit: minute, requests_per_unit: 60, shards: 4 }
  - key: file
    value: "*.zip"
    rate_limit: { unit: minute, requests_per_unit: 5 }
  - key: report
    rate_limit: { kind: concurrency, capacity: 3, ttl: 30s }
  - key: tenant
    rate_limit: { unit: minute, requests_per_unit: 9 }
    descriptors:
      - key: user
        rate_limit: { unit: minute, requests_per_unit: 5, also: parent }
  - key: plan
    rate_limit: { unit: minute, requests_per_unit: 5, name: plan }
  - key: trial
    rate_limit: { unit: minute, requests_per_unit: 5, replaces: [{ name: plan }] }
`;

describe("rules of other forms", () => {
  it.each([
    ["shared", /the override of descriptors\[0\].*share.*rule file/],
    ["sharded", /the override of descriptors\[0\].*shards.*rule file/],
  ])("with units in several places are refused: %s", async (key, detail) => {
    const admin = await administered({ rules: OTHERS });
    for (const [name, more] of [
      ["override", { rate: 9 }],
      ["end-override", {}],
    ] as const) {
      const body = { ...keyed(`${key}=x`), ...more, reason: "x" };
      expect(await admin.call(name, { body })).toMatchObject({
        status: 400,
        body: { code: "no-overrides", detail: expect.stringMatching(detail) },
      });
    }
    expect(await audited(admin)).toMatchObject([
      { what: "override", outcome: "refused", code: "no-overrides" },
      { what: "end-override", outcome: "refused", code: "no-overrides" },
    ]);
  });

  it("that only count are refused", async () => {
    const admin = await administered({ settings: { chargeRefused: true } });
    expect(await admin.call("override", { body: { ...ann, rate: 9, reason: "x" } })).toMatchObject({
      status: 400,
      body: { code: "no-overrides", detail: expect.stringContaining("--charge-refused") },
    });
  });

  it("with a pattern are overridden for the value alone", async () => {
    const admin = await administered({ rules: OTHERS });
    const one = keyed("file=a.zip");
    await admin.call("override", { body: { ...one, rate: 7, reason: "x" } });
    expect(await admitted(admin, one, 20)).toBe(7);
    expect(await admitted(admin, keyed("file=b.zip"), 20)).toBe(5);
  });

  it("for requests in flight have a capacity, and no rate", async () => {
    const admin = await administered({ rules: OTHERS });
    const report = keyed("report=ann");
    const refused = await admin.call("override", { body: { ...report, rate: 9, reason: "x" } });
    expect(refused.body).toMatchObject({ code: "bad-override" });
    await admin.call("override", { body: { ...report, capacity: 5, reason: "x" } });
    expect((await admin.service.value(report)).values).toMatchObject([{ capacity: 5 }]);
  });

  it("below others that also apply are overridden without those above", async () => {
    const admin = await administered({ rules: OTHERS });
    const below = { domain: "shop", descriptors: [descriptor("tenant=x", "user=ann")] };
    await admin.call("override", { body: { ...below, rate: 50, reason: "x" } });
    expect(await overrideOf(admin, below)).toMatchObject({ capacity: 50 });
    expect(await overrideOf(admin, keyed("tenant=x"))).toBe(undefined);
    expect(await admitted(admin, below, 20)).toBe(9);
  });

  it("that another descriptor replaces are refused, and nothing is overridden", async () => {
    const admin = await administered({ rules: OTHERS });
    const both = keyed("plan=x", "trial=x");
    const { body } = await admin.call("override", { body: { ...both, rate: 50, reason: "x" } });
    expect(body).toMatchObject({
      code: "unknown-limit",
      detail: expect.stringContaining("descriptors[0]"),
    });
    expect(await overrideOf(admin, keyed("trial=x"))).toBe(undefined);
  });
});
