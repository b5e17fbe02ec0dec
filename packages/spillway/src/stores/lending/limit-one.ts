/**
 * Takes units under a limit that lends: from those held here if they are enough, otherwise from the
 * store.
 */
import { after, asAnswer } from "../../internal/index.ts";
import type { Answer, Ask, Decision, Timing } from "../../limits/core/index.ts";
import { refusalOf } from "./checks.ts";
import { type HeldJointAsk, passedOn } from "./joint.ts";
import type { LentKey } from "./lent-key.ts";
import type { LentUnits } from "./lent-units.ts";

/**
 * The maximum number of pending draws that a call waits for, one after the other, before it asks
 * the store itself.
 */
const MOST_WAITS = 2;

/** Takes units for one ask of a limit that lends. */
export function limitOne<M extends Timing>(units: LentUnits<M>, ask: Ask): Answer<M, Decision> {
  if (units.isClosed) return units.direct(ask);
  const key = units.find(ask);
  if (key === undefined) return first(units, ask);
  key.note(ask.count);
  return limitFromHeld(units, key, ask) ?? limitBeyondHeld(units, { key, ask, waits: MOST_WAITS });
}

/**
 * Takes units for one of several asks. Held units are set aside until the store has decided on the
 * rest.
 */
export function limitJointly<M extends Timing>(units: LentUnits<M>, ask: Ask): HeldJointAsk {
  const key = units.find(ask) ?? units.add(ask);
  if (key === undefined) return passedOn(ask);
  key.note(ask.count);
  // A count of 0 asks whether a unit is left, which the store knows.
  const aside = ask.count === 0 ? undefined : key.holder.setAside(ask.count, units.now());
  if (aside === undefined) {
    key.calls++;
    const end = (decision: Decision | undefined, ok: boolean) => {
      if (ok && key.mayDraw(units.now())) units.refill(key);
      return decision as Decision;
    };
    return { rest: ask, end };
  }
  const abandon = () => key.holder.putBack(aside);
  const end = (_: unknown, ok: boolean) => {
    if (ok) key.loan.useAside(aside);
    else abandon();
    const decision = key.admitted(units.now());
    // Drawn in advance, so that the next asks find units here.
    if (ok && key.isLow(units.now())) units.refill(key);
    return decision;
  };
  return { rest: undefined, end, abandon };
}

/** The first ask on a key is a plain one: most keys are never used again. */
function first<M extends Timing>(units: LentUnits<M>, ask: Ask): Answer<M, Decision> {
  const key = units.add(ask);
  if (key === undefined) return units.direct(ask);
  key.note(ask.count);
  return plain(units, key, ask);
}

/** Answers from units held here; undefined if there are too few. */
function limitFromHeld<M extends Timing>(
  units: LentUnits<M>,
  key: LentKey,
  { count }: Ask,
): Answer<M, Decision> | undefined {
  const now = units.now();
  if (!key.loan.take(count, now)) return undefined;
  const decision = key.admitted(now);
  if (key.isLow(now)) units.refill(key);
  return asAnswer(units.timing, decision);
}

/** Returns the store's answer, and records it with the key. */
function plain<M extends Timing>(units: LentUnits<M>, key: LentKey, ask: Ask): Answer<M, Decision> {
  key.calls++;
  return after(units.timing, units.direct(ask), (decision) => {
    if (decision.degraded || ask.reserve) return decision;
    const now = units.now();
    key.decided(decision, Math.max(1, ask.count), now);
    return key.answered(decision, now);
  });
}

type StoreAsk = { readonly key: LentKey; readonly ask: Ask; readonly waits: number };

/** Answers a call for which too few units are held. */
function limitBeyondHeld<M extends Timing>(
  units: LentUnits<M>,
  { key, ask, waits }: StoreAsk,
): Answer<M, Decision> {
  if (ask.reserve || ask.count > ask.plan.capacity || units.isOver(key))
    return plain(units, key, ask);
  const refusal = refusalOf(key, ask, units.now());
  if (refusal !== undefined) {
    key.shortage.refused(Math.max(1, ask.count));
    return asAnswer(units.timing, refusal);
  }
  if (key.flight === undefined) return units.draw(key, ask);
  if (waits === 0) return plain(units, key, ask);
  const again = () =>
    limitFromHeld(units, key, ask) ?? limitBeyondHeld(units, { key, ask, waits: waits - 1 });
  return key.flight.then(again) as Answer<M, Decision>;
}
