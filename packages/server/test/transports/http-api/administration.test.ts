/** What administrators do over their own listener, and what is refused there. */
import { request } from "node:http";
import { SpillwayError } from "spillway";
import { describe, expect, it } from "vitest";
import { AuditError, type AuditLog, MOST_ENTRIES, memoryAudit } from "../../../src/index.ts";
import {
  administered,
  audited,
  CHANGE,
  READ,
  type TestAdmin,
} from "../../support/administration.ts";
import { descriptor, START } from "../../support/service.ts";

const ann = { domain: "shop", descriptors: [descriptor("user=ann")] };

const CHANGES = {
  reset: ann,
  block: { ...ann, for: 60_000, reason: "scraping" },
  unblock: ann,
  override: { ...ann, rate: 50, for: 60_000, reason: "migration" },
  "end-override": ann,
  mode: { limit: "shop/user", mode: "off", reason: "too tight" },
};
type Change = keyof typeof CHANGES;
const NAMES = Object.keys(CHANGES) as Change[];
const READS = { modes: undefined, "top-keys": undefined, audit: undefined, get: ann };

async function use(admin: TestAdmin, times: number): Promise<void> {
  for (let n = 0; n < times; n++) await admin.service.limit(ann);
}

async function left(admin: TestAdmin): Promise<number | undefined> {
  return (await admin.service.value(ann)).values[0]?.remaining;
}

describe("an administrator", () => {
  it("reads budgets with their modes and their latest change", async () => {
    const admin = await administered();
    await use(admin, 2);
    await admin.call("block", { body: CHANGES.block, headers: { "spillway-as": "jo" } });
    const { status, body } = await admin.call("get", { body: ann, token: READ });
    expect([status, body]).toEqual([
      200,
      {
        version: 1,
        budgets: [
          {
            budget: "shop/user=ann",
            limit: "shop/user",
            mode: "enforce",
            key: expect.stringMatching(/^[0-9a-f]{16}$/),
            value: expect.objectContaining({ capacity: 5, remaining: 3, blockedFor: 60_000 }),
            changed: expect.objectContaining({
              version: 1,
              by: "change token as jo",
              what: "block",
              reason: "scraping",
              before: [{ remaining: 3, capacity: 5, blockedFor: 0 }],
              after: [{ remaining: 3, capacity: 5, blockedFor: 60_000 }],
              until: new Date(admin.now + 60_000).toISOString(),
            }),
          },
        ],
      },
    ]);
  });

  it("resets, blocks and unblocks", async () => {
    const admin = await administered();
    await use(admin, 4);
    const { body: reset } = await admin.call("reset", { body: ann });
    expect(reset).toMatchObject({ version: 1, values: [{ remaining: 5 }] });
    const { body: block } = await admin.call("block", { body: CHANGES.block });
    expect(block).toMatchObject({ version: 2, values: [{ blockedFor: 60_000 }] });
    expect((await admin.service.limit(ann)).joint?.ok).toBe(false);
    const { body: unblock } = await admin.call("unblock", { body: { ...ann, reason: "done" } });
    expect(unblock).toMatchObject({ version: 3, values: [{ blockedFor: 0 }] });
    expect((await admin.service.limit(ann)).joint?.ok).toBe(true);
  });

  it.each([
    [{ limit: "shop/user" }, ["shop/user"]],
    [{ rule: "per user" }, ["the rule per user"]],
    [{ domain: "shop" }, ["the domain shop"]],
    [{ all: true }, ["all limits"]],
  ])("switches modes by %j, and back", async (at, on) => {
    const admin = await administered();
    await use(admin, 5);
    const switching = async (mode: string) =>
      (await admin.call("mode", { body: { ...at, mode, reason: "x" } })).body.limits;
    expect(await switching("off")).toContainEqual({ limit: "shop/user", mode: "off" });
    expect((await admin.service.limit(ann)).joint).toBe(undefined);
    expect(await switching("enforce")).toContainEqual({ limit: "shop/user", mode: "enforce" });
    expect((await admin.service.limit(ann)).joint?.ok).toBe(false);
    expect((await admin.call("modes", { token: READ })).body).toMatchObject({ switches: [] });
    expect(await audited(admin)).toMatchObject([
      { what: "mode", on, before: "enforce", after: "off" },
      { what: "mode", on, before: "off", after: "enforce" },
    ]);
  });

  it("settles what programs have used, without the audit log", async () => {
    const admin = await administered();
    await use(admin, 4);
    const settled = { ...descriptor("user=ann"), reserved: 4, used: 1 };
    const body = { domain: "shop", descriptors: [settled] };
    expect((await admin.call("settle", { body })).body).toMatchObject({
      values: [{ remaining: 4 }],
    });
    expect((await admin.call("settle", { body, token: READ })).status).toBe(403);
    expect(await audited(admin)).toEqual([]);
  });

  it("sees the most asked keys as digests, or as they are", async () => {
    const admin = await administered();
    await use(admin, 7);
    await admin.service.limit({ domain: "shop", descriptors: [descriptor("item=sale")] });
    const { body: shown } = await admin.call("get", { body: ann, token: READ });
    const [{ key }] = shown.budgets as [{ key: string }];
    const { body } = await admin.call("top-keys?count=1", { token: READ });
    const expected = { limit: "shop/user", asks: 7, refusals: 2, error: 0 };
    expect(body).toMatchObject({ asks: 8, keys: [{ ...expected, key }] });
    admin.showsKeys = true;
    const { body: ofLimit } = await admin.call("top-keys?limit=shop/user", { token: READ });
    expect(ofLimit.keys).toEqual([{ ...expected, key: "user=ann" }]);
    expect(await admin.call("top-keys?limit=shop/usr", { token: READ })).toMatchObject({
      status: 404,
      body: { code: "unknown-limit", detail: expect.stringContaining("Did you mean shop/user?") },
    });
  });
});

describe("two administrators", () => {
  it.each(NAMES)("do not overwrite each other by %s", async (name) => {
    const admin = await administered();
    const { version } = (await admin.call("get", { body: ann })).body as { version: number };
    const first = await admin.call(name, {
      body: { ...CHANGES[name], version },
      headers: { "spillway-as": "jo" },
    });
    expect(first).toMatchObject({ status: 200, body: { version: 1 } });
    const second = await admin.call(name, { body: { ...CHANGES[name], version } });
    expect(second).toMatchObject({
      status: 409,
      body: {
        code: "version-conflict",
        version: 1,
        newer: { what: name, by: "change token as jo" },
      },
    });
    expect(await admin.call(name, { body: { ...CHANGES[name], version: 2 } })).toMatchObject({
      status: 200,
      body: { version: 3 },
    });
  });

  it("do not hinder each other on different budgets", async () => {
    const admin = await administered();
    const bob = { domain: "shop", descriptors: [descriptor("user=bob")] };
    expect((await admin.call("reset", { body: { ...ann, version: 0 } })).status).toBe(200);
    expect((await admin.call("reset", { body: { ...bob, version: 0 } })).status).toBe(200);
    expect((await admin.call("mode", { body: { ...CHANGES.mode, version: 0 } })).status).toBe(200);
  });

  it("at once are one after the other", async () => {
    const admin = await administered();
    const body = { ...CHANGES.mode, version: 0 };
    const both = await Promise.all([1, 2].map(() => admin.call("mode", { body })));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it("are refused with a version that is too old to be compared, or from the future", async () => {
    const admin = await administered();
    for (let n = 0; n < MOST_ENTRIES + 2; n++) {
      await admin.administration.change("mode", CHANGES.mode, "jo");
    }
    for (const version of [0, MOST_ENTRIES + 99]) {
      expect((await admin.call("reset", { body: { ...ann, version } })).status).toBe(409);
    }
    const version = (await admin.administration.entries(1))[0]?.version;
    expect((await admin.call("reset", { body: { ...ann, version } })).status).toBe(200);
  });
});

describe("another service with the same audit log", () => {
  /** A log in which the other service's entry comes first, once. */
  function overtaken(on: string): AuditLog {
    const log = memoryAudit(() => START);
    let isOvertaken = false;
    return {
      ...log,
      appendAfter: async (draft, version) => {
        if (!isOvertaken) {
          isOvertaken = true;
          await log.append({ by: "the other", what: "block", on: [on], outcome: "accepted" });
        }
        return log.appendAfter(draft, version);
      },
    };
  }

  it.each([
    ["shop/user=ann", 409],
    ["shop/user=bob", 200],
  ])("that comes first with %s leads to %i", async (on, status) => {
    const admin = await administered({ audit: overtaken(on) });
    await use(admin, 5);
    const reply = await admin.call("reset", { body: { ...ann, version: 0 } });
    expect(reply.status).toBe(status);
    expect(await left(admin)).toBe(status === 200 ? 5 : 0);
    expect(await audited(admin)).toMatchObject([
      { version: 1, by: "the other" },
      { version: 2, outcome: status === 200 ? "accepted" : "refused" },
    ]);
  });
});

describe("tokens", () => {
  it.each(NAMES)("to read do not open %s, which is audited", async (name) => {
    const admin = await administered();
    await use(admin, 5);
    const { status, body } = await admin.call(name, { body: CHANGES[name], token: READ });
    expect([status, body.code]).toEqual([403, "wrong-token"]);
    expect(body.detail).toContain("SPILLWAY_ADMIN_TOKEN");
    expect(await left(admin)).toBe(0);
    expect(admin.service.switches).toEqual([]);
    expect(await audited(admin)).toMatchObject([
      { what: name, by: "read token", outcome: "refused", code: "wrong-token" },
    ]);
  });

  it.each(["", "x", "the-token-to-chang", `${CHANGE}x`, "the-token-to-other"])(
    "such as %j open nothing",
    async (token) => {
      const admin = await administered();
      for (const [name, body] of Object.entries({ ...CHANGES, ...READS })) {
        const reply = await admin.call(name, { body, token });
        expect([reply.status, reply.body.code]).toEqual([401, "token-required"]);
        expect(reply.headers.get("www-authenticate")).toContain("Bearer");
      }
    },
  );

  it("open reads, of either kind", async () => {
    const admin = await administered();
    for (const token of [READ, CHANGE]) {
      for (const [name, body] of Object.entries(READS)) {
        expect((await admin.call(name, { body, token })).status).toBe(200);
      }
    }
  });

  it("are replaced while it serves", async () => {
    const admin = await administered();
    admin.tokens = { change: "another-token-to-change", read: undefined };
    expect((await admin.call("modes")).status).toBe(401);
    expect((await admin.call("modes", { token: READ })).status).toBe(401);
    expect((await admin.call("modes", { token: "another-token-to-change" })).status).toBe(200);
  });

  it("that are wrong fill the audit log with one entry a minute", async () => {
    const admin = await administered();
    for (let n = 0; n < 20; n++) await admin.call("reset", { body: ann, token: "wrong" });
    expect(await audited(admin)).toMatchObject([{ by: "no token", code: "token-required" }]);
    admin.now += 60_000;
    await admin.call("reset", { body: ann, token: "wrong" });
    const [, second] = await audited(admin);
    expect(second?.detail).toContain("19 more such requests since the entry before");
  });
});

describe("refused, with nothing changed and the try audited:", () => {
  it.each<[string, Change, object, number, string]>([
    ["a reason that is missing", "block", { ...ann, for: 1 }, 400, "missing-field"],
    ["a reason that is blank", "block", { ...CHANGES.block, reason: " " }, 400, "bad-field"],
    ["a reason of two lines", "block", { ...CHANGES.block, reason: "x\ny" }, 400, "bad-field"],
    ["a time that is none", "block", { ...CHANGES.block, for: 0 }, 400, "bad-field"],
    ["a mode that is none", "mode", { ...CHANGES.mode, mode: "of" }, 400, "bad-field"],
    ["two limits of a mode", "mode", { ...CHANGES.mode, all: true }, 400, "bad-field"],
    ["no limit of a mode", "mode", { mode: "off", reason: "x" }, 400, "bad-field"],
    ["an unknown limit", "mode", { ...CHANGES.mode, limit: "shop/usr" }, 404, "unknown-limit"],
    ["an unknown rule", "mode", { rule: "x", mode: "off", reason: "x" }, 404, "unknown-limit"],
    ["an unknown domain", "reset", { ...ann, domain: "shp" }, 404, "unknown-domain"],
    [
      "a key that leads nowhere",
      "reset",
      { domain: "shop", descriptors: [descriptor("usr=ann")] },
      404,
      "unknown-limit",
    ],
    [
      "a key without a limit",
      "reset",
      { domain: "shop", descriptors: [descriptor("staff=eve")] },
      404,
      "unknown-limit",
    ],
    ["a key that is none", "reset", { domain: "shop", descriptors: [{}] }, 400, "missing-field"],
    ["an override of nothing", "override", { ...ann, reason: "x" }, 400, "bad-override"],
    [
      "an override with two meanings",
      "override",
      { ...CHANGES.override, unlimited: true },
      400,
      "bad-override",
    ],
    ["units that are none", "override", { ...CHANGES.override, rate: 0.5 }, 400, "bad-field"],
    ["units beyond 10⁹", "override", { ...CHANGES.override, rate: 1e9 + 1 }, 400, "bad-field"],
    ["an override for ever", "override", { ...CHANGES.override, for: 4e10 }, 400, "bad-field"],
    ["an override without a reason", "override", { ...ann, rate: 9 }, 400, "missing-field"],
    [
      "an override of a key without a limit",
      "override",
      { domain: "shop", descriptors: [descriptor("staff=eve")], rate: 9, reason: "x" },
      404,
      "unknown-limit",
    ],
    ["a field that is none", "unblock", { ...ann, key: "ann" }, 400, "unknown-field"],
    ["a version that is none", "unblock", { ...ann, version: -1 }, 400, "bad-field"],
  ])("%s", async (_, name, sent, status, code) => {
    const admin = await administered();
    await use(admin, 5);
    const reply = await admin.call(name, { body: sent });
    expect([reply.status, reply.body.code]).toEqual([status, code]);
    expect(reply.body.detail).toMatch(/^Found .*expected /);
    expect([await left(admin), admin.service.switches]).toEqual([0, []]);
    expect(await audited(admin)).toMatchObject([{ what: name, outcome: "refused", code }]);
  });

  it.each([
    ["origin", "https://evil.example", "foreign-origin"],
    ["sec-fetch-site", "cross-site", "foreign-origin"],
    ["host", "evil.example", "foreign-host"],
  ])("a foreign %s, also with a token", async (header, value, code) => {
    const admin = await administered();
    const { status, problem } = await sendBy(admin, { [header]: value });
    expect([status, problem.code]).toEqual([403, code]);
    expect(problem.detail).toContain("expected");
    expect(await audited(admin)).toMatchObject([{ what: "reset", outcome: "refused", code }]);
  });

  it("a body of 10 MB", async () => {
    const admin = await administered();
    const { status, body } = await admin.call("block", { body: " ".repeat(10_000_000) });
    expect([status, body.code]).toEqual([413, "body-too-large"]);
    expect(await audited(admin)).toMatchObject([{ what: "block", code: "body-too-large" }]);
  });

  it("a name that is none", async () => {
    const admin = await administered();
    const headers = { "spillway-as": "%0a" };
    const { status, body } = await admin.call("reset", { body: ann, headers });
    expect([status, body.code]).toEqual([400, "bad-field"]);
    expect(await audited(admin)).toMatchObject([{ by: "change token", code: "bad-field" }]);
  });
});

/** Sends a reset with headers that `fetch` does not send. */
function sendBy({ url }: TestAdmin, headers: Readonly<Record<string, string>>) {
  return new Promise<{ status: number; problem: { code: string; detail: string } }>((resolve) => {
    const authorization = `Bearer ${CHANGE}`;
    const sent = { ...headers, authorization, "content-type": "application/json" };
    const call = request(`${url}/v1/admin/reset`, { method: "POST", headers: sent }, (response) => {
      let text = "";
      response.on("data", (part) => {
        text += part;
      });
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, problem: JSON.parse(text) }),
      );
    });
    call.end(JSON.stringify(ann));
  });
}

describe("an audit log that can't be written", () => {
  const audit: AuditLog = {
    where: "audit.jsonl",
    append: async () => {
      throw new AuditError("The audit log audit.jsonl can't be written: no space left; make room");
    },
    appendAfter: async () => {
      throw new AuditError("not used");
    },
    recent: async () => [],
    close: async () => {},
  };

  it.each(NAMES)("refuses %s, and changes nothing", async (name) => {
    const admin = await administered({ audit });
    await use(admin, 5);
    const { status, body } = await admin.call(name, { body: CHANGES[name] });
    expect([status, body.code]).toEqual([503, "not-audited"]);
    expect(body.detail).toMatch(/audit\.jsonl.*make room\. Nothing was changed/);
    expect([await left(admin), admin.service.switches]).toEqual([0, []]);
    expect((await admin.service.value(ann)).values[0]?.blockedFor).toBe(0);
  });
});

describe("a store without an answer", () => {
  const silentFor = (isSilent: (verb: string) => boolean) =>
    administered({
      target: (usual) => ({
        ...usual,
        execute: async (call) => {
          if (isSilent(call.verb))
            throw new SpillwayError({ code: "unavailable", expected: "an answer" });
          return usual.execute(call);
        },
      }),
    });

  it("before a change is audited as a refused try", async () => {
    const admin = await silentFor(() => true);
    const { status, body } = await admin.call("reset", { body: ann });
    expect([status, body.code]).toEqual([503, "unavailable"]);
    expect(body.detail).toContain("nothing was changed");
    expect(await audited(admin)).toMatchObject([{ outcome: "refused", on: ["shop/user=ann"] }]);
  });

  it("to a change is audited as a failure after it", async () => {
    const admin = await silentFor((verb) => verb !== "ownValue");
    const { status, body } = await admin.call("reset", { body: ann });
    expect([status, body.code]).toEqual([503, "unavailable"]);
    expect(await audited(admin)).toMatchObject([
      { version: 1, outcome: "accepted" },
      { version: 2, outcome: "failed", detail: expect.stringContaining("version 1") },
    ]);
  });
});
