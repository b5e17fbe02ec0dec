/** What the audit log says of changes that were refused, or of which nothing is known. */
import { describe, expect, it } from "vitest";
import { showBudgets } from "../../../src/commands/admin/show-budgets.ts";
import { AuditError, memoryAudit, RequestError } from "../../../src/index.ts";
import { listRules } from "../../../src/rules/index.ts";
import { RuleModes } from "../../../src/service/modes/rule-modes.ts";
import { administered, audited, READ } from "../../support/administration.ts";
import { rulesOf } from "../../support/rules.ts";
import { descriptor, START } from "../../support/service.ts";

const ann = { domain: "shop", descriptors: [descriptor("user=ann")] };
const modeOff = { all: true, mode: "off", reason: "outage" };

describe("a limit that is off in its file", () => {
  const rules = `
domain: shop
descriptors:
  - { key: user, rate_limit: { unit: day, requests_per_unit: 5, mode: off } }
`;

  it("is shown as off", async () => {
    const admin = await administered({ rules });
    const { body } = await admin.call("modes", { token: READ });
    expect(body.limits).toEqual([{ limit: "shop/user", mode: "off" }]);
  });

  it.each(["enforce", "shadow"])(
    "can't be switched to %s, and its place is named",
    async (mode) => {
      const admin = await administered({ rules });
      const body = { limit: "shop/user", mode, reason: "x" };
      const reply = await admin.call("mode", { body });
      expect([reply.status, reply.body.code]).toEqual([400, "bad-field"]);
      expect(reply.body.detail).toMatch(
        /shop\/user, expected off as in \S+:4:\d+; change the mode/,
      );
      expect(admin.service.switches).toEqual([]);
    },
  );

  it("stays off when all others are switched to shadow", async () => {
    const admin = await administered({ rules });
    const { body } = await admin.call("mode", { body: { ...modeOff, mode: "shadow" } });
    expect(body.limits).toEqual([{ limit: "shop/user", mode: "off" }]);
  });
});

it("a switch of a limit says nothing once its file has it off", () => {
  const limit = "rate_limit: { unit: day, requests_per_unit: 5, mode: off }";
  const [rule] = listRules(rulesOf(`domain: shop\ndescriptors: [{ key: user, ${limit} }]`));
  const modes = new RuleModes([{ scope: "limit", name: "shop/user", mode: "shadow" }]);
  expect(rule && modes.of(rule)).toBe("off");
});

describe("an audit log", () => {
  it("that can't be written is tried once for each change", async () => {
    let tries = 0;
    const append = async () => {
      tries++;
      throw new AuditError("The audit log can't be written: no space left; make room");
    };
    const admin = await administered({ audit: { ...memoryAudit(() => START), append } });
    expect((await admin.call("reset", { body: ann })).body.code).toBe("not-audited");
    expect(tries).toBe(1);
  });

  it("has one try a minute with the token to read, counted apart from strangers", async () => {
    const admin = await administered();
    const reset = (token: string) => admin.call("reset", { body: ann, token });
    for (let n = 0; n < 20; n++) await reset(READ);
    await reset("wrong");
    admin.now += 60_000;
    await reset(READ);
    const entries = await audited(admin);
    expect(entries.map(({ code }) => code)).toEqual([
      "wrong-token",
      "token-required",
      "wrong-token",
    ]);
    expect(entries[2]?.detail).toContain("19 more such requests since the entry before");
  });

  it.each([
    ["unavailable", 503, "failed", "may have taken effect"],
    ["no-overrides", 400, "refused", "had no effect"],
  ] as const)(
    "has one entry for a change that ends with %s",
    async (code, status, outcome, says) => {
      const admin = await administered({
        target: (usual) => ({
          ...usual,
          execute: async (call) => {
            if (call.verb === "ownValue") return usual.execute(call);
            throw new RequestError({ status, code, detail: "because" });
          },
        }),
      });
      expect((await admin.call("reset", { body: ann })).body.code).toBe(code);
      expect(await audited(admin)).toMatchObject([
        { version: 1, outcome: "accepted" },
        { version: 2, outcome, code, detail: expect.stringContaining(says) },
      ]);
      expect(await audited(admin)).toHaveLength(2);
    },
  );
});

describe("modes of two services with one audit log", () => {
  it.each([
    ["another", 200],
    ["this", 409],
  ])("are switched by a version that %s service has passed: %i", async (by, status) => {
    const log = memoryAudit(() => START);
    const admin = await administered({ audit: { ...log, service: "this" } });
    const draft = { by: "socket", what: "mode", on: ["all limits"], outcome: "accepted" } as const;
    // A shared log adds the name of the service that writes.
    await log.append({ ...draft, ...{ service: by } });
    expect((await admin.call("mode", { body: { ...modeOff, version: 0 } })).status).toBe(status);
  });
});

describe("a penalty", () => {
  const rules = `
domain: shop
descriptors:
  - key: user
    rate_limit:
      unit: day
      requests_per_unit: 1
      penalty: { after: 1, within: 1h, block: 10m, most: 1h }
`;

  it("is told apart from an administrator's block", async () => {
    const admin = await administered({ rules });
    for (let n = 0; n < 2; n++) await admin.service.limit(ann);
    const read = () => admin.call("get", { body: ann, token: READ });
    const penalized = { value: { blockedFor: 600_000, penalized: true } };
    expect((await read()).body.budgets).toMatchObject([penalized]);
    const { body } = await admin.call("block", { body: { ...ann, for: 60_000, reason: "x" } });
    expect(body.values).toMatchObject([{ blockedFor: 60_000 }]);
    expect((body.values as object[])[0]).not.toHaveProperty("penalized");
  });

  it("is shown by spillway get", () => {
    const value = { limit: "shop/user", capacity: 5, remaining: 0, resetAfter: 0 };
    const budget = { budget: "shop/user=ann", mode: "enforce", key: "0f" };
    const shown = (block: { blockedFor: number; penalized?: true }) =>
      showBudgets({ version: 1, budgets: [{ ...budget, value: { ...value, ...block } }] })[1];
    expect(shown({ blockedFor: 720_000, penalized: true })).toContain("12 min, penalty");
    expect(shown({ blockedFor: 720_000 })).not.toContain("penalty");
  });
});
