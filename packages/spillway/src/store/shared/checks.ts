/** What asks would be answered: of what is held here where that is enough, else by the store. */
import type { Answer, Ask, Decision, Mode } from "../../core/index.ts";
import { after, asAnswer } from "../../internal/index.ts";
import type { LentKey } from "./lent-key.ts";
import type { LentStore } from "./lent-store.ts";
import type { Reading } from "./readings.ts";

/** Answers what one ask would be answered, and takes nothing. */
export function checkOne<M extends Mode>(store: LentStore<M>, ask: Ask): Answer<M, Decision> {
  const key = store.find(ask);
  const known = key && checkHere(key, ask, store.now());
  if (known !== undefined) return asAnswer(store.mode, known);
  // With what is held here, the store need not have all of it.
  const held = key === undefined || ask.count > ask.plan.capacity ? 0 : key.holder.units;
  const rest = { ...ask, count: ask.count - held };
  const answer = store.pass({ verb: "check", budgets: [rest] });
  return after(store.mode, answer, ([one]) => one as Decision);
}

/** What one of several asks would be answered here; undefined where too little is held. */
export function checkIfHeld<M extends Mode>(store: LentStore<M>, ask: Ask): Decision | undefined {
  const key = store.find(ask);
  const answer = key && checkHere(key, ask, store.now());
  return answer?.ok ? answer : undefined;
}

/** The refusal of an ask for which too little is held; undefined where the store is to decide. */
export function refusalOf(key: LentKey, { count }: Ask, now: Reading): Decision | undefined {
  const wait = key.waitOf(Math.max(1, count), now);
  return wait && key.refused(wait, now);
}

/** What an ask would be answered here; undefined where the store knows. */
function checkHere(key: LentKey, ask: Ask, now: Reading): Decision | undefined {
  key.holder.dropEnded(now);
  const { units } = key.holder;
  if (Math.max(1, ask.count) > units) return ask.reserve ? undefined : refusalOf(key, ask, now);
  const decision = key.admitted(now);
  return { ...decision, remaining: decision.remaining - ask.count };
}
