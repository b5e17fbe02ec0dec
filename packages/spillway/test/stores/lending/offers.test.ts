/** A call offers what is held while another has set units aside: refused, the other costs nothing. */
import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { planFor } from "../../../src/limits/algorithms/index.ts";
import type { Ask, Command, Decision, Plan, Store } from "../../../src/limits/core/index.ts";
import { lent } from "../../../src/stores/index.ts";
import { memoryStore } from "../../../src/stores/memory/index.ts";
import { manualClock } from "../../../src/testing/index.ts";

const WINDOW = { kind: "fixed window", rate: 100, period: "1d", share: "1m" } as const;
const plan = planFor("window", WINDOW);
const other = planFor("other", { kind: "fixed window", rate: 1, period: "1d" });

const asked = (of: Plan, count: number): Ask => ({ plan: of, key: "k", count, reserve: false });

/** A store whose messages arrive when they are sent on, and a process that is lent units of it. */
function place() {
  const clock = manualClock();
  const base = memoryStore({ clock });
  const messages: (() => void)[] = [];
  const execute = (command: Command) =>
    new Promise((resolve) => messages.push(() => resolve(base.execute(command))));
  const remote = { timing: "later", execute } as Store<"later">;
  const scheduler = { elapsed: clock, afterDelay: () => {} };
  const store = lent(remote, { clock, scheduler, warn: () => {} });
  const arrive = async () => {
    await turn();
    for (let message = messages.shift(); message; message = messages.shift()) {
      message();
      await turn();
    }
  };
  const limit = async (count: number) => {
    const decision = store.limit?.(asked(plan, count)) as Promise<Decision>;
    await arrive();
    return (await decision).ok ? count : 0;
  };
  const held = () => store.lending?.numbers().held as number;
  const used = () => 100 - base.execute({ verb: "value", budgets: [asked(plan, 0)] }).remaining;
  return { clock, base, store, arrive, limit, held, used };
}

test.each([
  ["refused", 1],
  ["admitted", 0],
])("units that are set aside are not lost where all else is offered: %s", async (_, taken) => {
  const { clock, base, store, arrive, limit, held, used } = place();
  let admitted = 0;
  for (let left = 8; left > 0; left--) {
    admitted += await limit(2);
    clock.advance(50);
  }
  base.execute({ verb: "limit", budgets: [asked(other, taken)] });
  const joint = store.execute({ verb: "limit", budgets: [asked(plan, 3), asked(other, 1)] });
  await turn();
  const more = limit(held() + 1);
  admitted += await more;
  if ((await joint).every(({ ok }) => ok)) admitted += 3;
  store.lending?.giveBack();
  await arrive();
  expect(admitted).toBeGreaterThan(16);
  expect(used()).toBe(admitted);
});
