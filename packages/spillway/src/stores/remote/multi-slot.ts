/**
 * Takes from budgets in different slots, which no single step can charge: slot by slot, in the same
 * order in every process. If a later slot refuses, the units already taken are given back.
 */

import { callEach } from "../../internal/index.ts";
import { notCharged } from "../../limits/algorithms/index.ts";
import type {
  Ask,
  Budget,
  Command,
  CommandOf,
  Decision,
  Store,
  Value,
} from "../../limits/core/index.ts";
import type { Executor } from "../port/executor.ts";
import { slotIn } from "./checked-executor.ts";

/** Carries out a command on several budgets; undefined if the store can do that in one step. */
export function onSeveral(
  command: Command,
  executor: Executor,
  store: Store<"later">,
): Promise<unknown> | undefined {
  const { verb } = command;
  if (verb !== "limit" && verb !== "check") return peekEach(command as CommandOf<"peek">, store);
  const groups = groupsOf(command.budgets, (ask) => slotIn(executor, ask));
  if (groups.length === 1) return undefined;
  return verb === "limit" ? limitMultiSlot(groups, store) : checkMultiSlot(groups, store);
}

/** Each budget by itself, so that many of them need not fit in one request. */
async function peekEach(command: CommandOf<"peek">, store: Store<"later">): Promise<unknown> {
  const peeks = callEach(command.budgets, (budget: Budget) =>
    store.execute({ ...command, budgets: [budget] }),
  );
  return (await Promise.all(peeks)).flat();
}

/** The asks of one slot, with their positions in the call. */
type SlotGroup = {
  readonly slot: number;
  readonly asks: readonly Ask[];
  readonly positions: readonly number[];
};

/**
 * Groups asks by slot, in the order in which every process takes them. Leaky buckets come last,
 * because their starts can't be given back.
 */
function groupsOf(asks: readonly Ask[], slotOf: (ask: Ask) => number): readonly SlotGroup[] {
  const groups = new Map<number, { slot: number; asks: Ask[]; positions: number[] }>();
  asks.forEach((ask, position) => {
    const slot = slotOf(ask);
    const group = groups.get(slot) ?? { slot, asks: [], positions: [] };
    groups.set(slot, group);
    group.asks.push(ask);
    group.positions.push(position);
  });
  return [...groups.values()].sort(
    (one, other) => promises(one) - promises(other) || one.slot - other.slot,
  );
}

/**
 * Takes from all slots, or finally from none. Until then, other calls may be refused because of
 * units that are given back later.
 */
async function limitMultiSlot(
  groups: readonly SlotGroup[],
  store: Store<"later">,
): Promise<readonly Decision[]> {
  const answers: (readonly Decision[])[] = [];
  for (const { asks } of groups) {
    const decisions = await store.execute({ verb: "limit", budgets: asks });
    answers.push(decisions);
    if (!decisions.every(({ ok }) => ok)) return refuse(groups, answers, store);
  }
  return inOrder(groups, answers);
}

/** Returns what `limitMultiSlot` would return. */
async function checkMultiSlot(
  groups: readonly SlotGroup[],
  store: Store<"later">,
): Promise<readonly Decision[]> {
  const checked = await Promise.all(groups.map((group) => check(group, store)));
  const isAdmitted = checked.every(({ decisions }) => decisions.every(({ ok }) => ok));
  return inOrder(
    groups,
    checked.map(({ decisions, asRefused }) => (isAdmitted ? decisions : asRefused)),
  );
}

/** Gives back what was taken before the refusal, and checks the remaining slots. */
async function refuse(
  groups: readonly SlotGroup[],
  answers: readonly (readonly Decision[])[],
  store: Store<"later">,
): Promise<readonly Decision[]> {
  const last = answers.length - 1;
  const all = groups.map(async (group, index) => {
    if (index > last) return (await check(group, store)).asRefused;
    const decisions = answers[index] as readonly Decision[];
    return index === last ? decisions : compensate(group, decisions, store);
  });
  return inOrder(groups, await Promise.all(all));
}

/** Returns a slot's answers for both cases: all asks are admitted, or some are refused. */
async function check({ asks }: SlotGroup, store: Store<"later">) {
  const values = asks.map((ask) => valueLeft(ask, store).catch(() => undefined));
  const decisions = await store.execute({ verb: "check", budgets: asks });
  const left = await Promise.all(values);
  const asRefused = decisions.map((decision, index) => {
    const value = left[index];
    return decision.ok && value !== undefined ? notCharged(decision, value) : decision;
  });
  return { decisions, asRefused };
}

function compensate(
  { asks }: SlotGroup,
  decisions: readonly Decision[],
  store: Store<"later">,
): Promise<readonly Decision[]> {
  return Promise.all(
    asks.map(async (ask, index) => {
      const decision = decisions[index] as Decision;
      // Units counted here are not given back. A lease must be, because it would be held for its
      // whole time.
      if (ask.count === 0 || (decision.degraded && ask.lease === undefined)) return decision;
      try {
        return notCharged(decision, await undo(ask, store));
      } catch {
        // The units stay taken, so the limit is not exceeded. A lease is released later: until then
        // the same lease must not be used again, and calls with degraded answers are not repeated.
        return { ...decision, degraded: true };
      }
    }),
  );
}

async function undo({ lease, ...ask }: Ask, store: Store<"later">): Promise<Value> {
  const { count } = ask;
  if (lease === undefined) {
    const settlement = { reserved: count, used: 0 };
    return store.execute({ verb: "settle", budgets: [ask], settlement });
  }
  await store.execute({ verb: "release", budgets: [ask], lease: { id: lease.id, count } });
  return valueLeft(ask, store);
}

function valueLeft(budget: Budget, store: Store<"later">): Promise<Value> {
  return store.execute({ verb: "value", budgets: [budget] });
}

function inOrder(
  groups: readonly SlotGroup[],
  answers: readonly (readonly Decision[])[],
): readonly Decision[] {
  const decisions: Decision[] = [];
  groups.forEach(({ positions }, group) => {
    positions.forEach((position, index) => {
      decisions[position] = answers[group]?.[index] as Decision;
    });
  });
  return decisions;
}

function promises({ asks }: SlotGroup): number {
  return asks.some(({ plan }) => plan.queues) ? 1 : 0;
}
