/** What asks for units would be answered: of what is held here where that is enough, else by the store. */
import { after, asAnswer } from "../../internal/index.ts";
import { notCharged } from "../../limits/algorithms/index.ts";
import type { Answer, Ask, Decision, Mode } from "../../limits/core/index.ts";
import { type JointAsk, passedOn } from "./joint.ts";
import type { LentKey } from "./lent-key.ts";
import type { LentUnits } from "./lent-units.ts";
import type { Reading } from "./readings.ts";

/** Answers what one ask would be answered, and takes nothing. */
export function checkOne<M extends Mode>(units: LentUnits<M>, ask: Ask): Answer<M, Decision> {
  const key = units.find(ask);
  const known = key && checkHere(key, ask, units.now());
  if (known !== undefined) return asAnswer(units.mode, known);
  // With what is held here, the store need not have all of it.
  const held = key === undefined || ask.count > ask.plan.capacity ? 0 : key.holder.units;
  const rest = { ...ask, count: ask.count - held };
  const answer = units.pass({ verb: "check", budgets: [rest] });
  return after(units.mode, answer, ([one]) => one as Decision);
}

/** The same of one of several asks. */
export function checkJointly<M extends Mode>(units: LentUnits<M>, ask: Ask): JointAsk {
  const key = units.find(ask);
  const known = key && checkHere(key, ask, units.now());
  if (known?.ok !== true) return passedOn(ask);
  const refused = { ...known, remaining: known.remaining + ask.count };
  return {
    rest: undefined,
    end: (_, ok) => (ok ? known : notCharged(known, refused as never)),
  };
}

/** The refusal of a call for which too little is held; undefined where the store is to decide. */
export function refusalOf(key: LentKey, { count }: Ask, now: Reading): Decision | undefined {
  const wait = key.waitOf(Math.max(1, count), now);
  return wait && key.refused(wait, now);
}

/** What a call would be answered here; undefined where the store knows. */
function checkHere(key: LentKey, ask: Ask, now: Reading): Decision | undefined {
  key.holder.dropEnded(now);
  const { units } = key.holder;
  if (Math.max(1, ask.count) > units) return ask.reserve ? undefined : refusalOf(key, ask, now);
  const decision = key.admitted(now);
  return { ...decision, remaining: decision.remaining - ask.count };
}
