/** Modes that are switched while a service runs, at the place where rules decide. */
import { describe, expect, it } from "vitest";
import { createService, type ModeSwitch } from "../../src/index.ts";
import { rulesOf } from "../support/rules.ts";
import { descriptor } from "../support/service.ts";

const RULES = `
domain: shop
descriptors:
  - key: user
    rate_limit: { unit: year, requests_per_unit: 1, name: people }
  - key: trial
    rate_limit: { unit: year, requests_per_unit: 1, name: people }
    shadow_mode: true
  - key: tenant
    rate_limit: { unit: year, requests_per_unit: 1 }
    descriptors:
      - key: user
        rate_limit: { unit: year, requests_per_unit: 3, also: parent }
  - key: plan
    rate_limit: { unit: year, requests_per_unit: 1 }
    quota_mode: true
  - key: spare
    rate_limit: { unit: year, requests_per_unit: 1 }
    quota_mode: true
  - key: fleet
    rate_limit: { kind: concurrency, capacity: 1, ttl: 1h }
    descriptors:
      - key: job
        rate_limit: { kind: concurrency, capacity: 2, ttl: 1h, also: parent }
`;

const asking = (...texts: readonly string[]) => ({
  domain: "shop",
  descriptors: texts.map((text) => descriptor(...text.split(" "))),
});
const ofLimit = (name: string, mode: ModeSwitch["mode"]): ModeSwitch => ({
  scope: "limit",
  name,
  mode,
});

const clock = () => Date.UTC(2026, 0, 1);

function serviceOf(switches: readonly ModeSwitch[] = []) {
  const service = createService({ rules: rulesOf(RULES), clock });
  service.setModes(switches);
  const admits = async (...texts: readonly string[]) =>
    (await service.limit(asking(...texts))).joint?.ok ?? true;
  return { service, admits };
}

describe("a switched mode", () => {
  it("off asks nothing: what was counted before stays", async () => {
    const { service, admits } = serviceOf([ofLimit("shop/user", "off")]);
    for (let n = 0; n < 3; n++) expect(await admits("user=ann")).toBe(true);
    const { outcomes } = await service.limit(asking("user=ann"));
    expect(outcomes[0]).toMatchObject({ role: "off", decision: { ok: true, remaining: 1 } });
    service.setModes([]);
    expect([await admits("user=ann"), await admits("user=ann")]).toEqual([true, false]);
  });

  it("shadow counts and refuses nothing", async () => {
    const { service, admits } = serviceOf([ofLimit("shop/user", "shadow")]);
    for (let n = 0; n < 3; n++) expect(await admits("user=ann")).toBe(true);
    service.setModes([]);
    expect(await admits("user=ann")).toBe(false);
  });

  it("enforces what its file has in shadow mode", async () => {
    const { admits } = serviceOf([ofLimit("shop/trial", "enforce")]);
    expect([await admits("trial=a"), await admits("trial=a")]).toEqual([true, false]);
  });

  it.each<ModeSwitch>([
    { scope: "rule", name: "people", mode: "off" },
    { scope: "domain", name: "shop", mode: "off" },
    { scope: "all", name: "", mode: "off" },
  ])("of several limits, by $scope, weakens each", async (one) => {
    const { service, admits } = serviceOf([ofLimit("shop/user", "enforce"), one]);
    for (let n = 0; n < 3; n++) expect(await admits("user=ann")).toBe(true);
    service.setModes([{ ...one, mode: "enforce" }]);
    for (let n = 0; n < 3; n++) expect(await admits("trial=a")).toBe(true);
  });

  it("stays when the rules are replaced", async () => {
    const { service, admits } = serviceOf([ofLimit("shop/user", "off")]);
    await service.replaceRules(
      rulesOf(RULES.replaceAll("requests_per_unit: 1", "requests_per_unit: 2")),
    );
    for (let n = 0; n < 4; n++) expect(await admits("user=ann")).toBe(true);
  });

  it.each(["off", "shadow"] as const)("%s of a limit above leaves the one below", async (mode) => {
    const { service, admits } = serviceOf([ofLimit("shop/tenant", mode)]);
    const answers = [];
    for (let n = 0; n < 4; n++) answers.push(await admits("tenant=x user=ann"));
    expect(answers).toEqual([true, true, true, false]);
    service.setModes([]);
    // In shadow mode it counted: only the first, since what it would refuse takes nothing.
    expect(await admits("tenant=x")).toBe(mode === "off");
  });

  it("off of the limit below leaves the one above", async () => {
    const { admits } = serviceOf([ofLimit("shop/tenant/user", "off")]);
    expect([await admits("tenant=x user=ann"), await admits("tenant=x user=ann")]).toEqual([
      true,
      false,
    ]);
  });

  it("off of a quota always has room", async () => {
    const { admits } = serviceOf([ofLimit("shop/spare", "off")]);
    for (let n = 0; n < 3; n++) expect(await admits("plan=a", "spare=a")).toBe(true);
  });

  it("changes nothing for reads, resets and blocks", async () => {
    const { service } = serviceOf([{ scope: "all", name: "", mode: "off" }]);
    const request = { domain: "shop", descriptors: [descriptor("user=ann")] };
    const { values } = await service.block({ ...request, for: 1000 });
    expect(values[0]).toMatchObject({ limit: "shop/user", blockedFor: 1000 });
    expect((await service.value(request)).values[0]?.blockedFor).toBeGreaterThan(0);
  });
});

describe("leases", () => {
  const job = asking("fleet=x job=y");

  it.each(["off", "shadow"] as const)("hold and end while a limit above is %s", async (mode) => {
    const { service } = serviceOf([ofLimit("shop/fleet", mode)]);
    const [first, second, third] = [1, 2, 3].map(() => service.acquire(job));
    expect((await third)?.joint?.ok).toBe(false);
    const lease = (await second)?.lease?.name ?? "";
    expect(await service.renew({ ...job, lease })).toMatchObject({ held: true });
    service.setModes([]);
    expect((await first)?.lease).toBeDefined();
    for (const one of [await first, await second]) {
      await service.release({ ...job, lease: one?.lease?.name ?? "" });
    }
    expect((await service.acquire(job)).joint?.ok).toBe(true);
  });

  it("granted before the limit went off is still held", async () => {
    const { service } = serviceOf();
    const lease = (await service.acquire(job)).lease?.name ?? "";
    service.setModes([{ scope: "all", name: "", mode: "off" }]);
    expect(await service.renew({ ...job, lease })).toMatchObject({ held: true });
    expect(await service.release({ ...job, lease })).toMatchObject({ held: true });
  });
});
