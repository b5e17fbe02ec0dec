/** Several asks together, some of whose units are held here: all of them are charged, or none is. */

import { after, asAnswer, carriedOut, eachAnswered } from "../../internal/index.ts";
import { notCharged } from "../../limits/algorithms/index.ts";
import type { Answer, Ask, Decision, Mode } from "../../limits/core/index.ts";
import { checkIfHeld } from "./checks.ts";
import type { Aside } from "./holder.ts";
import type { LentKey } from "./lent-key.ts";
import type { LentUnits } from "./lent-units.ts";

/** One ask of a joint call, and the units held here that are set aside for it; without them the store decides. */
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
  units: LentUnits<M>,
  asks: readonly Ask[],
): Answer<M, readonly Decision[]> {
  const parts = asks.map((ask): Part => {
    const key = units.noted(ask);
    // A count of 0 asks whether a unit is there: the store knows.
    const aside = ask.count === 0 ? undefined : key?.holder.setAside(ask.count, units.now());
    return { ask, key, aside };
  });
  const rest = parts.filter(({ aside }) => aside === undefined);
  const done = (decisions: readonly Decision[]) => together(units, parts, decisions);
  if (rest.length === 0) return after(units.mode, asAnswer(units.mode, []), done);
  for (const { key } of rest) if (key !== undefined) key.calls++;
  const budgets = rest.map(({ ask }) => ask);
  const putBack = (error: unknown): never => {
    finish(parts, false);
    throw error;
  };
  const call = () => units.pass({ verb: "limit", budgets });
  return carriedOut(units.mode, call, { done, fail: putBack });
}

/** One answer for each ask, when the store has decided on the rest. */
function together<M extends Mode>(
  units: LentUnits<M>,
  parts: readonly Part[],
  decisions: readonly Decision[],
): readonly Decision[] {
  const ok = decisions.every((one) => one.ok);
  finish(parts, ok);
  const now = units.now();
  const answers = eachAnswered(parts, decisions, {
    isPassedOn: ({ aside }) => aside === undefined,
    end: ({ one, answer }) => answer ?? (one.key as LentKey).admitted(now),
  });
  if (ok) for (const part of parts) refillIfLow(units, part);
  return answers;
}

/** Nobody waits for it: the next asks find units here. */
function refillIfLow<M extends Mode>(units: LentUnits<M>, { key, aside }: Part): void {
  if (key === undefined) return;
  const now = units.now();
  if (aside === undefined ? key.mayDraw(now) : key.isLow(now)) units.refill(key);
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
  units: LentUnits<M>,
  asks: readonly Ask[],
): Answer<M, readonly Decision[]> {
  const here = asks.map((ask) => checkIfHeld(units, ask));
  const rest = asks.filter((_, place) => here[place] === undefined);
  const asked =
    rest.length === 0 ? asAnswer(units.mode, []) : units.pass({ verb: "check", budgets: rest });
  return after(units.mode, asked as Answer<M, readonly Decision[]>, (decisions) => {
    const ok = decisions.every((one) => one.ok);
    return eachAnswered(here, decisions, {
      isPassedOn: (one) => one === undefined,
      end: ({ one, index, answer }) => {
        if (one === undefined || ok) return (answer ?? one) as Decision;
        const { count } = asks[index] as Ask;
        return notCharged(one, { ...one, remaining: one.remaining + count } as never);
      },
    });
  });
}
