/**
 * Answers `check` under a limit that lends: from the units held here if they are enough, otherwise
 * by the store.
 */
import { after, asAnswer } from "../../internal/index.ts";
import { notCharged } from "../../limits/algorithms/index.ts";
import type { Answer, Ask, Decision, Timing } from "../../limits/core/index.ts";
import { type HeldJointAsk, passedOn } from "./joint.ts";
import type { LentKey } from "./lent-key.ts";
import type { LentUnits } from "./lent-units.ts";
import type { ClockReading } from "./readings.ts";

/** Answers a check of one ask. Takes nothing. */
export function checkOne<M extends Timing>(units: LentUnits<M>, ask: Ask): Answer<M, Decision> {
  const key = units.find(ask);
  const known = key && checkHere(key, ask, units.now());
  if (known !== undefined) return asAnswer(units.timing, known);
  // The units held here reduce what the store needs to have.
  const held = key === undefined || ask.count > ask.plan.capacity ? 0 : key.holder.units;
  const rest = { ...ask, count: ask.count - held };
  const answer = units.pass({ verb: "check", budgets: [rest] });
  return after(units.timing, answer, ([one]) => one as Decision);
}

/** Answers a check of one of several asks. */
export function checkJointly<M extends Timing>(units: LentUnits<M>, ask: Ask): HeldJointAsk {
  const key = units.find(ask);
  const known = key && checkHere(key, ask, units.now());
  if (known?.ok !== true) return passedOn(ask);
  const refused = { ...known, remaining: known.remaining + ask.count };
  return {
    rest: undefined,
    end: (_, ok) => (ok ? known : notCharged(known, refused as never)),
  };
}

/**
 * Returns the refusal of a call for which too few units are held; undefined if the store is to
 * decide.
 */
export function refusalOf(key: LentKey, { count }: Ask, now: ClockReading): Decision | undefined {
  const wait = key.waitOf(Math.max(1, count), now);
  return wait && key.refused(wait, now);
}

/** Returns the answer to a call from what is held here; undefined if only the store knows it. */
function checkHere(key: LentKey, ask: Ask, now: ClockReading): Decision | undefined {
  key.holder.dropEnded(now);
  const { units } = key.holder;
  if (Math.max(1, ask.count) > units) return ask.reserve ? undefined : refusalOf(key, ask, now);
  const decision = key.admitted(now);
  return { ...decision, remaining: decision.remaining - ask.count };
}
