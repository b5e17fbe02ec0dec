/** What strangers make a service ask of its store by asking how it is. */
import { memoryStore, type Store } from "spillway";
import { describe, expect, it } from "vitest";
import { until } from "../../../spillway/test/servers/until.ts";
import { createServer, createService } from "../../src/index.ts";
import { RuleModes } from "../../src/service/modes/rule-modes.ts";
import { RulePlans } from "../../src/service/rulebook/plans.ts";
import { StoreProbe } from "../../src/service/store-probe.ts";
import { rulesOf } from "../support/rules.ts";
import { SHOP } from "../support/shop.ts";

/** A probe of a store in memory that counts what it is asked, and can be stopped and held. */
function probing() {
  const state = { now: 0, asked: 0, listed: 0, isAway: false, gate: Promise.resolve() };
  const inner = memoryStore();
  const execute = (async (command: Parameters<Store["execute"]>[0]) => {
    state.asked++;
    await state.gate;
    if (state.isAway) throw new Error("away");
    return inner.execute(command);
  }) as Store["execute"];
  const known = rulesOf(SHOP);
  const rules = {
    ...known,
    get domains() {
      state.listed++;
      return known.domains;
    },
  };
  const rulebook = { rules, plans: new RulePlans("closed"), settings: {}, modes: new RuleModes() };
  const store = { ...inner, execute } as Store;
  const probe = new StoreProbe({ store, rulebook: () => rulebook, time: () => state.now });
  return { state, probe };
}

describe("whether the store answers", () => {
  it("is asked once a second, however many want to know, and rules are searched once", async () => {
    const { state, probe } = probing();
    for (let second = 1; second <= 3; second++) {
      const answers = await Promise.all(Array.from({ length: 50 }, () => probe.fails()));
      expect(new Set(answers)).toEqual(new Set([false]));
      state.now += 999;
      await probe.fails();
      expect(state.asked).toBe(second * 16);
      state.now += 1;
    }
    expect(state.listed).toBe(1);
  });

  it("is said anew within a second, both ways", async () => {
    const { state, probe } = probing();
    const heard: boolean[] = [];
    for (const isAway of [false, true, true, false]) {
      state.isAway = isAway;
      state.now += 1000;
      heard.push(await probe.fails());
    }
    expect(heard).toEqual([false, true, true, false]);
  });

  it("is not asked again before an answer is there, however late that is", async () => {
    const { state, probe } = probing();
    const gate = Promise.withResolvers<void>();
    state.gate = gate.promise;
    const first = probe.fails();
    state.now += 60_000;
    const second = probe.fails();
    expect(state.asked).toBe(16);
    gate.resolve();
    expect(await Promise.all([first, second])).toEqual([false, false]);
  });

  it("is what all pages of health share", async () => {
    let asked = 0;
    const gate = Promise.withResolvers<void>();
    const inner = memoryStore();
    const execute = (async (command: Parameters<Store["execute"]>[0]) => {
      asked++;
      await gate.promise;
      return inner.execute(command);
    }) as Store["execute"];
    const service = createService({ rules: rulesOf(SHOP), store: { ...inner, execute } as Store });
    let pages = 0;
    const isDegraded = () => {
      pages++;
      return service.isDegraded();
    };
    const app = await createServer({ service: { ...service, isDegraded }, quiet: 0 });
    const urls = Array.from({ length: 20 }, () => ["/healthcheck", "/readyz"]).flat();
    const answers = urls.map((url) => app.inject(url));
    await until(() => pages === urls.length, { what: "all of them want to know" });
    expect(asked).toBe(16);
    gate.resolve();
    for (const { statusCode } of await Promise.all(answers)) expect(statusCode).toBe(200);
    await app.close();
  });
});
