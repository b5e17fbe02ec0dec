/** Applies the modes of limits: one that is off is not asked, a shadow refuses nothing. */
import { after, asAnswer, sameMembers } from "../../internal/index.ts";
import {
  type Answer,
  type AnswerTo,
  type Ask,
  asShadow,
  type Budget,
  type Command,
  type CommandOf,
  type Decision,
  type Mode,
  unasked,
  type Value,
} from "../../limits/core/index.ts";
import type { DirectStore } from "../store.ts";

/** Returns a store that applies the modes of limits, as they are at each call. */
export function moded<M extends Mode>(store: DirectStore<M>): DirectStore<M> {
  const { within } = store;
  const execute = <C extends Command>(command: C): Answer<M, AnswerTo<C>> =>
    (areEnforced(command.budgets) ? store.execute(command) : lenient(store, command)) as Answer<
      M,
      AnswerTo<C>
    >;
  return {
    ...sameMembers(store),
    ...(within && { within: within.bind(store) }),
    execute,
    // Most calls take this path, so it asks no function for the mode.
    limit: (ask) => (ask.settings?.mode === "enforce" ? store.limit(ask) : one(store, ask)),
  };
}

function areEnforced(budgets: readonly Budget[]): boolean {
  for (const budget of budgets) if (!isEnforced(budget)) return false;
  return true;
}

function isEnforced({ settings }: Budget): boolean {
  const mode = settings?.mode;
  return mode === undefined || mode === "enforce";
}

function isAsked({ settings }: Budget): boolean {
  return settings?.mode !== "off";
}

/** Carries out a command on budgets of which some are not enforced. */
function lenient<M extends Mode>(store: DirectStore<M>, command: Command): Answer<M, unknown> {
  if (command.verb === "limit") return takeAll(store, command.budgets);
  if (command.verb === "check") return checkAll(store, command.budgets);
  if (command.verb === "settle") return settle(store, command);
  return store.execute(command);
}

/** Corrects nothing for a limit that is off, from which nothing was taken. */
function settle<M extends Mode>(
  store: DirectStore<M>,
  command: CommandOf<"settle">,
): Answer<M, Value> {
  const [{ plan, settings }] = command.budgets;
  if (settings?.mode !== "off") return store.execute(command);
  const { limit, capacity } = plan;
  const nothing = { reserved: 0, resetAfter: 0, blockedFor: 0 };
  return asAnswer(store.mode, { limit, capacity, remaining: capacity, ...nothing });
}

function one<M extends Mode>(store: DirectStore<M>, ask: Ask): Answer<M, Decision> {
  if (isEnforced(ask)) return store.limit(ask);
  if (!isAsked(ask)) return asAnswer(store.mode, unasked(ask.plan));
  return after(store.mode as M, store.limit(ask), asShadow);
}

function checkAll<M extends Mode>(
  store: DirectStore<M>,
  asks: readonly Ask[],
): Answer<M, readonly Decision[]> {
  const known: Known = new Map();
  const answers = ask(store, { verb: "check", asks: asks.filter(isAsked), known });
  return after(store.mode as M, answers, () => asks.map((each) => decisionOn(each, known)));
}

/**
 * Takes from all budgets that are enforced, or from none, and from shadows that have the units.
 *
 * A shadow that refuses has taken nothing, and neither has any other budget. So the others are
 * asked again without it, until none refuses, or one that is enforced.
 */
function takeAll<M extends Mode>(
  store: DirectStore<M>,
  asks: readonly Ask[],
): Answer<M, readonly Decision[]> {
  const known: Known = new Map();
  const round = (active: readonly Ask[]): Answer<M, readonly Decision[]> =>
    after(store.mode as M, ask(store, { verb: "limit", asks: active, known }), () => {
      const refused = active.filter((each) => !known.get(each)?.ok);
      if (refused.length > 0 && !refused.some(isEnforced)) {
        return round(active.filter((each) => !refused.includes(each)));
      }
      return asks.map((each) => decisionOn(each, known));
    });
  return round(asks.filter(isAsked));
}

/** The last answers of the store. */
type Known = Map<Ask, Decision>;

type Round = {
  readonly verb: "limit" | "check";
  readonly asks: readonly Ask[];
  readonly known: Known;
};

/** Asks the store, if there is anything to ask, and notes its answers. */
function ask<M extends Mode>(
  store: DirectStore<M>,
  { verb, asks, known }: Round,
): Answer<M, undefined> {
  if (asks.length === 0) return asAnswer(store.mode, undefined);
  return after(store.mode as M, store.execute({ verb, budgets: asks }), (decisions) => {
    for (const [at, each] of asks.entries()) known.set(each, decisions[at] as Decision);
    return undefined;
  });
}

function decisionOn(ask: Ask, known: Known): Decision {
  const decision = known.get(ask);
  if (decision === undefined) return unasked(ask.plan);
  return isEnforced(ask) ? decision : asShadow(decision);
}
