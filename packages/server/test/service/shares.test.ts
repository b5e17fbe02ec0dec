/** Units that a store lends to the service, and what becomes of them when the rules change. */
import { memoryStore, type Store } from "spillway";
import type { Command } from "spillway/core";
import { lent } from "spillway/store";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createService } from "../../src/index.ts";
import { rulesOf } from "../support/rules.ts";
import { descriptor } from "../support/service.ts";

const CAPACITY = 3000;
const ann = { domain: "shop", descriptors: [descriptor("user=ann")] };

/** Ten seconds into a year. */
const clock = () => Date.UTC(2026, 0, 1, 0, 0, 10);

const windowOf = (capacity: number, share = "10s") => `domain: shop
descriptors:
  - key: user
    rate_limit: { unit: year, requests_per_unit: ${capacity}, share: ${share} }
`;

/** A service of a store as of other machines, which lends units to it, and what that store was asked. */
function serving(text: string) {
  const inside = memoryStore({ clock });
  const commands: Command[] = [];
  const hanging = { isHanging: false };
  const far: Store<"later"> = {
    timing: "later",
    execute(command) {
      commands.push(command);
      if (hanging.isHanging) return new Promise(() => {});
      return Promise.resolve(inside.execute(command)) as never;
    },
  };
  const store = lent(far, { clock });
  const service = createService({ rules: rulesOf(text), store, clock });
  const isTaken = async () => (await service.limit(ann)).joint?.ok === true;
  const held = () => store.lending?.numbers().held ?? 0;
  return { service, commands, hanging, isTaken, held };
}

afterEach(() => {
  vi.useRealTimers();
});

describe("units that are lent to a service whose rules are replaced", () => {
  it("go back before the new rules hold, so that none is missing after them", async () => {
    const { service, isTaken, held } = serving(windowOf(CAPACITY));
    let taken = 0;
    for (let reload = 1; reload <= 8; reload++) {
      for (let ask = 0; ask < 100; ask++) if (await isTaken()) taken++;
      expect(held()).toBeGreaterThan(0);
      await service.replaceRules(rulesOf(windowOf(CAPACITY + reload)));
    }
    while (await isTaken()) taken++;
    expect(taken).toBe(CAPACITY + 8);
  });

  it("stay where the limit is in the new rules as well", async () => {
    const { service, isTaken, held } = serving(windowOf(CAPACITY));
    for (let ask = 0; ask < 100; ask++) await isTaken();
    const before = held();
    await service.replaceRules(rulesOf(`${windowOf(CAPACITY)}  - key: more\n`));
    expect([before > 0, held()]).toEqual([true, before]);
    const other = await service.replaceRules(rulesOf("domain: other"));
    expect([other, held()]).toEqual([undefined, 0]);
  });

  it("are lent again under a limit that comes back", async () => {
    const { service, isTaken, held } = serving(windowOf(CAPACITY));
    const rules = [windowOf(CAPACITY), windowOf(10)].map(rulesOf);
    for (let ask = 0; ask < 100; ask++) await isTaken();
    for (const next of [1, 0]) await service.replaceRules(rules[next] as (typeof rules)[0]);
    for (let ask = 0; ask < 100; ask++) await isTaken();
    expect(held()).toBeGreaterThan(0);
    // The first is not waited for: what holds is what came last.
    const [strict, wide] = [1, 0].map((next) => service.replaceRules(rules[next] as never));
    await Promise.all([strict, wide]);
    expect(service.rules).toBe(rules[0]);
    for (let ask = 0; ask < 100; ask++) await isTaken();
    expect(held()).toBeGreaterThan(0);
  });

  it("are not drawn anew by requests that come before the new rules hold", async () => {
    const { service, commands, isTaken, held } = serving(windowOf(CAPACITY));
    for (let ask = 0; ask < 100; ask++) await isTaken();
    const before = service.rules;
    const replaced = service.replaceRules(rulesOf(windowOf(CAPACITY + 1)));
    const from = commands.length;
    const asked = Array.from({ length: 20 }, () => service.limit(ann));
    expect(service.rules).toBe(before);
    await Promise.all([replaced, ...asked]);
    expect(commands.slice(from).map(({ verb }) => verb)).toEqual(Array(20).fill("limit"));
    expect((await asked[0])?.joint?.capacity).toBe(CAPACITY);
    expect([held(), (await service.limit(ann)).joint?.capacity]).toEqual([0, CAPACITY + 1]);
  });

  it("keep nobody waiting for new rules for more than 250 ms where the store hangs", async () => {
    vi.useFakeTimers();
    const { service, hanging, isTaken, held } = serving(windowOf(CAPACITY));
    for (let ask = 0; ask < 100; ask++) await isTaken();
    hanging.isHanging = true;
    const next = rulesOf(windowOf(10));
    const replaced = service.replaceRules(next);
    await vi.advanceTimersByTimeAsync(249);
    expect(service.rules).not.toBe(next);
    await vi.advanceTimersByTimeAsync(1);
    await replaced;
    expect([service.rules === next, held()]).toEqual([true, 0]);
  });
});
