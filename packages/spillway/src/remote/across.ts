/**
 * Several budgets that no single step can charge, for they are kept in different places: taken place
 * by place in one order for everybody, and given back where a later one refuses.
 */
import { notCharged } from "../algorithms/index.ts";
import type { Ask, Budget, Decision, LeaseRef, Settlement, Value } from "../core/index.ts";

/** The asks of one place, with their positions among all. */
export type Group = {
  readonly place: number;
  readonly asks: readonly Ask[];
  readonly positions: readonly number[];
};

/** What has to be asked of each place. */
export type Places = {
  limitAll(group: Group): Promise<readonly Decision[]>;
  checkAll(group: Group): Promise<readonly Decision[]>;
  settle(ask: Ask, settlement: Settlement): Promise<Value>;
  release(budget: Budget, held: LeaseRef): Promise<boolean>;
  value(ask: Ask): Promise<Value>;
};

/**
 * Asks by place, in the order in which everybody takes them. Leaky buckets come last: what they have
 * promised can't be given back.
 */
export function groupsOf(asks: readonly Ask[], placeOf: (ask: Ask) => number): readonly Group[] {
  const groups = new Map<number, { place: number; asks: Ask[]; positions: number[] }>();
  asks.forEach((ask, position) => {
    const place = placeOf(ask);
    const group = groups.get(place) ?? { place, asks: [], positions: [] };
    groups.set(place, group);
    group.asks.push(ask);
    group.positions.push(position);
  });
  return [...groups.values()].sort(
    (one, other) => promises(one) - promises(other) || one.place - other.place,
  );
}

/** Takes from all places, or from none in the end; meanwhile others may be refused for it. */
export async function limitAcross(
  groups: readonly Group[],
  places: Places,
): Promise<readonly Decision[]> {
  const answers: (readonly Decision[])[] = [];
  for (const group of groups) {
    const decisions = await places.limitAll(group);
    answers.push(decisions);
    if (!decisions.every(({ ok }) => ok)) return refuse(groups, answers, places);
  }
  return inOrder(groups, answers);
}

/** Answers what `limitAcross` would. */
export async function checkAcross(
  groups: readonly Group[],
  places: Places,
): Promise<readonly Decision[]> {
  const looked = await Promise.all(groups.map((group) => look(group, places)));
  const isAdmitted = looked.every(({ decisions }) => decisions.every(({ ok }) => ok));
  return inOrder(
    groups,
    looked.map(({ decisions, asRefused }) => (isAdmitted ? decisions : asRefused)),
  );
}

/** Gives back what was taken before the refusal, and asks what the rest would have said. */
async function refuse(
  groups: readonly Group[],
  answers: readonly (readonly Decision[])[],
  places: Places,
): Promise<readonly Decision[]> {
  const last = answers.length - 1;
  const all = groups.map(async (group, index) => {
    if (index > last) return (await look(group, places)).asRefused;
    const decisions = answers[index] as readonly Decision[];
    return index === last ? decisions : giveBack(group, decisions, places);
  });
  return inOrder(groups, await Promise.all(all));
}

/** What a place would say if all were admitted, and if not. */
async function look(group: Group, places: Places) {
  const values = group.asks.map((ask) => places.value(ask).catch(() => undefined));
  const decisions = await places.checkAll(group);
  const left = await Promise.all(values);
  const asRefused = decisions.map((decision, index) => {
    const value = left[index];
    return decision.ok && value !== undefined ? notCharged(decision, value) : decision;
  });
  return { decisions, asRefused };
}

function giveBack(
  { asks }: Group,
  decisions: readonly Decision[],
  places: Places,
): Promise<readonly Decision[]> {
  return Promise.all(
    asks.map(async (ask, index) => {
      const decision = decisions[index] as Decision;
      // Units that were taken here are not given back; a lease would be held by nobody for its whole time.
      if (ask.count === 0 || (decision.degraded && ask.lease === undefined)) return decision;
      try {
        return notCharged(decision, await undo(ask, places));
      } catch {
        // What was taken stays taken, which admits nobody too many; a lease is released later. Nothing
        // may be asked by the same lease again until then, and what is degraded is not asked again.
        return { ...decision, degraded: true };
      }
    }),
  );
}

async function undo({ lease, ...ask }: Ask, places: Places): Promise<Value> {
  if (lease === undefined) return places.settle(ask, { reserved: ask.count, used: 0 });
  await places.release(ask, { id: lease.id, count: ask.count });
  return places.value(ask);
}

function inOrder(
  groups: readonly Group[],
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

function promises({ asks }: Group): number {
  return asks.some(({ plan }) => plan.kind === "leaky bucket") ? 1 : 0;
}
