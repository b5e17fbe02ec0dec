/** Several asks together, some of whose units are held here: all of them are charged, or none is. */
import { notCharged } from "../../algorithms/index.ts";
import type { Answer, Ask, Decision, Mode } from "../../core/index.ts";
import { after } from "../../internal/index.ts";
import type { Aside } from "./holder.ts";
import type { LentKey } from "./lent-key.ts";
import type { LentStore } from "./lent-store.ts";

/** An ask, and the units held here that are set aside for it; without them the store decides. */
type Part = {
  readonly ask: Ask;
  readonly key: LentKey | undefined;
  readonly aside: readonly Aside[] | undefined;
};

/**
 * Takes from all budgets or from none. Units that are held are set aside, the store decides on the rest in one
 * call, and where it refuses they are put back.
 */
export function limitTogether<M extends Mode>(
  store: LentStore<M>,
  asks: readonly Ask[],
): Answer<M, readonly Decision[]> {
  const parts = asks.map((ask): Part => {
    const key = store.noted(ask);
    // A count of 0 asks whether a unit is there: the store knows.
    const aside = ask.count === 0 ? undefined : key?.holder.setAside(ask.count, store.now());
    return { ask, key, aside };
  });
  const rest = parts.filter(({ aside }) => aside === undefined);
  if (rest.length === 0) return after(store.mode, none<M>(store), () => together(store, parts, []));
  for (const { key } of rest) if (key !== undefined) key.calls++;
  const budgets = rest.map(({ ask }) => ask);
  const putBack = (error: unknown): never => {
    finish(parts, false);
    throw error;
  };
  const done = (decisions: readonly Decision[]) => together(store, parts, decisions);
  try {
    const answer = store.pass({ verb: "limit", budgets });
    if (store.mode === "now") return after(store.mode, answer, done);
    return (answer as Promise<readonly Decision[]>).then(done, putBack) as Answer<M, never>;
  } catch (error) {
    return putBack(error);
  }
}

function none<M extends Mode>({ mode }: LentStore<M>): Answer<M, undefined> {
  return (mode === "now" ? undefined : Promise.resolve()) as Answer<M, undefined>;
}

/** One answer for each ask, when the store has decided on the rest. */
function together<M extends Mode>(
  store: LentStore<M>,
  parts: readonly Part[],
  decisions: readonly Decision[],
): readonly Decision[] {
  const ok = decisions.every((one) => one.ok);
  finish(parts, ok);
  const now = store.now();
  let next = 0;
  const answers = parts.map(({ key, aside }) => {
    if (aside === undefined) return decisions[next++] as Decision;
    return (key as LentKey).admitted(now);
  });
  if (ok) for (const part of parts) refillIfLow(store, part);
  return answers;
}

/** Nobody waits for it: the next asks find units here. */
function refillIfLow<M extends Mode>(store: LentStore<M>, { key, aside }: Part): void {
  if (key === undefined) return;
  const now = store.now();
  if (aside === undefined ? key.mayDraw(now) : key.isLow(now)) store.refill(key);
}

function finish(parts: readonly Part[], isTaken: boolean): void {
  for (const { key, aside } of parts) {
    if (key === undefined || aside === undefined) continue;
    if (isTaken) key.useAside(aside);
    else key.holder.putBack(aside);
  }
}

/** Answers what `limitTogether` would, and takes nothing. */
export function checkTogether<M extends Mode>(
  store: LentStore<M>,
  asks: readonly Ask[],
): Answer<M, readonly Decision[]> {
  const here = asks.map((ask) => store.checkIfHeld(ask));
  const rest = asks.filter((_, place) => here[place] === undefined);
  const asked =
    rest.length === 0
      ? after(store.mode, none<M>(store), (): readonly Decision[] => [])
      : store.pass({ verb: "check", budgets: rest });
  return after(store.mode, asked as Answer<M, readonly Decision[]>, (decisions) => {
    const ok = decisions.every((one) => one.ok);
    let next = 0;
    return here.map((one, place) => {
      if (one === undefined) return decisions[next++] as Decision;
      const { count } = asks[place] as Ask;
      return ok ? one : notCharged(one, { ...one, remaining: one.remaining + count } as never);
    });
  });
}
