/** Applies the modes of limits: one that is off is not asked, a shadow refuses nothing. */
import { after, allOf, asAnswer, sameMembers } from "../../internal/index.ts";
import {
  type Answer,
  type AnswerTo,
  type Ask,
  asShadow,
  type Budget,
  type Command,
  type CommandOf,
  type Decision,
  type Timing,
  unasked,
  type Value,
} from "../../limits/core/index.ts";
import type { DirectStore } from "../store.ts";

/** Returns a store that applies the modes of limits, as they are at each call. */
export function moded<M extends Timing>(store: DirectStore<M>): DirectStore<M> {
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
    limit: (ask) => (ask.settings?.mode === "enforce" ? store.limit(ask) : takeOne(store, ask)),
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

/** Carries out a command on budgets of which some are not enforced. */
function lenient<M extends Timing>(store: DirectStore<M>, command: Command): Answer<M, unknown> {
  if (command.verb === "limit" || command.verb === "check") return decideAll(store, command);
  if (command.verb === "settle") return settle(store, command);
  return store.execute(command);
}

/** Corrects nothing for a limit that is off, from which nothing was taken. */
function settle<M extends Timing>(
  store: DirectStore<M>,
  command: CommandOf<"settle">,
): Answer<M, Value> {
  const [{ plan, settings }] = command.budgets;
  if (settings?.mode !== "off") return store.execute(command);
  const { limit, capacity } = plan;
  const nothing = { reserved: 0, resetAfter: 0, blockedFor: 0 };
  return asAnswer(store.timing, { limit, capacity, remaining: capacity, ...nothing });
}

function takeOne<M extends Timing>(store: DirectStore<M>, ask: Ask): Answer<M, Decision> {
  if (isEnforced(ask)) return store.limit(ask);
  if (ask.settings?.mode === "off") return asAnswer(store.timing, unasked(ask.plan));
  return watched(store, { verb: "limit", ask });
}

/**
 * Decides for several budgets: for those that are enforced together, then for each shadow alone.
 *
 * Nothing is asked twice, so no unit or lease is taken twice. If the enforced ones refuse, the
 * shadows are only checked, because the whole takes nothing.
 */
function decideAll<M extends Timing>(
  store: DirectStore<M>,
  { verb, budgets }: CommandOf<"limit" | "check">,
): Answer<M, readonly Decision[]> {
  const enforced = budgets.filter(isEnforced);
  const shadows = budgets.filter(({ settings }) => settings?.mode === "shadow");
  const together =
    enforced.length === 0
      ? asAnswer<M, readonly Decision[]>(store.timing, [])
      : store.execute({ verb, budgets: enforced });
  return after(store.timing as M, together, (decisions): Answer<M, readonly Decision[]> => {
    const how = decisions.every(({ ok }) => ok) ? verb : "check";
    const alone = allOf(store.timing, shadows, (ask) => watched(store, { verb: how, ask }));
    return after(store.timing as M, alone, (others) => {
      const known = new Map<Ask, Decision>();
      for (const [at, ask] of enforced.entries()) known.set(ask, decisions[at] as Decision);
      for (const [at, ask] of shadows.entries()) known.set(ask, others[at] as Decision);
      return budgets.map((ask) => known.get(ask) ?? unasked(ask.plan));
    });
  });
}

type ShadowAsk = { readonly verb: "limit" | "check"; readonly ask: Ask };

/** Asks a limit in shadow mode. Errors are thrown: in a transaction, they say that it is lost. */
function watched<M extends Timing>(
  store: DirectStore<M>,
  { verb, ask }: ShadowAsk,
): Answer<M, Decision> {
  const answer = store.execute({ verb, budgets: [ask] });
  return after(store.timing as M, answer, ([decision]) => asShadow(decision as Decision));
}
