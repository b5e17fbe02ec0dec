import {
  type Clock,
  type Decision,
  type JointAsk,
  type JointDecision,
  type Limit,
  type Limits,
  type Mode,
  memoryStore,
  RateLimiter,
  type Store,
  type WhenUnavailable,
} from "spillway";
import { consoleWarn, systemClock, type Warn } from "spillway/core";
import { listRules, type Match, match, type Rule, type Rules } from "../rules/index.ts";
import type { Outcome, Question, Verdict } from "./question.ts";

export type ServiceOptions = {
  readonly rules: Rules;
  /** Tells the time. Default: the machine's clock. */
  readonly clock?: Clock;
  /** Where state lives. Default: in this process's memory. */
  readonly store?: Store;
  /** What limits answer while a shared store gives no answer. Default: `"closed"`. */
  readonly whenUnavailable?: WhenUnavailable;
  /** Where it is told what is probably not what was meant. Default: the console. */
  readonly warn?: Warn;
};

/** What every door calls. A domain or a descriptor without rules is not limited. */
export type Service = {
  readonly rules: Rules;
  /** Takes from every budget that the descriptors lead to: from all of them or from none. */
  readonly limit: (question: Question) => Promise<Verdict>;
  /** Answers what `limit` would, and takes nothing. */
  readonly check: (question: Question) => Promise<Verdict>;
  /**
   * Forgets what the budgets have used, and tells how they stand then. Counts don't matter.
   *
   * @throws SpillwayError `unavailable` where the store gives no answer: some may be forgotten.
   */
  readonly reset: (question: Question) => Promise<Verdict>;
  /** Whether some asks are answered without the store now. Asks it, and takes nothing. */
  readonly isDegraded: () => Promise<boolean>;
};

type Target = Match & { readonly count: number };

type Ask = (asks: readonly JointAsk[]) => JointDecision | Promise<JointDecision>;

/** Makes a service of rules. Make one for a process: each has state of its own. */
export function createService(options: ServiceOptions): Service {
  const { rules, clock = systemClock, store = memoryStore({ clock }) } = options;
  const { whenUnavailable = "closed", warn = consoleWarn } = options;
  const limits = limitsOf(rules);
  const limiter = new RateLimiter<Limits, Mode>(limits, { store, whenUnavailable, warn });
  const probes = probesOf(limits);
  const answer = (question: Question, ask: Ask) =>
    verdict({ now: clock(), targets: targetsOf(rules, question) }, ask);
  const resetAll: Ask = async (asks) => {
    // What can't be asked together is refused here, before any of it has been forgotten.
    await limiter.checkAll(asks);
    await Promise.all(asks.map(async ({ limit, count: _, ...key }) => limiter.reset(limit, key)));
    return limiter.checkAll(asks);
  };
  return {
    rules,
    limit: (question) => answer(question, (asks) => limiter.limitAll(asks)),
    check: (question) => answer(question, (asks) => limiter.checkAll(asks)),
    reset: (question) => answer(withoutCounts(question), resetAll),
    isDegraded: async () => {
      // Not asks, which would be answered without the store, and counted as such.
      const values = probes.map(async ({ limit, key }) => limiter.value(limit, { key }));
      const outcomes = await Promise.allSettled(values);
      return outcomes.some(({ status }) => status === "rejected");
    },
  };
}

/** Keys that are asked for to see whether the store answers: on a cluster they are everywhere. */
const PROBES = 16;

function probesOf(limits: Limits): readonly { readonly limit: string; readonly key: string }[] {
  const [limit] = Object.keys(limits);
  if (limit === undefined) return [];
  return Array.from({ length: PROBES }, (_, number) => ({ limit, key: `probe ${number}` }));
}

/** Asks about what is counted, if anything is. */
async function verdict(
  { now, targets }: { readonly now: number; readonly targets: readonly (Target | undefined)[] },
  ask: Ask,
): Promise<Verdict> {
  const asks = targets.filter(isCounted).map(askOf);
  const joint = asks.length === 0 ? undefined : await ask(asks);
  return { now, joint, outcomes: outcomesOf(targets, joint) };
}

function limitsOf(rules: Rules): Limits {
  const counted = listRules(rules).filter(({ limit }) => limit !== "unlimited");
  return Object.fromEntries(counted.map(({ name, limit }) => [name, limit as Limit]));
}

function targetsOf(rules: Rules, question: Question): readonly (Target | undefined)[] {
  const branches = rules.domains.get(question.domain);
  return question.descriptors.map(({ entries, count = question.count ?? 1 }) => {
    const found = branches && match(branches, entries);
    return found && { ...found, count };
  });
}

function isCounted(target: Target | undefined): target is Target {
  return target !== undefined && target.rule.limit !== "unlimited";
}

function askOf({ rule, key, count }: Target): JointAsk {
  return { limit: rule.name, count, ...(key === undefined ? {} : { key }) };
}

function withoutCounts({ domain, descriptors }: Question): Question {
  return { domain, descriptors: descriptors.map(({ entries }) => ({ entries })), count: 0 };
}

/** Deals the limits' decisions out to the targets that were counted. */
function outcomesOf(
  targets: readonly (Target | undefined)[],
  joint: JointDecision | undefined,
): readonly (Outcome | undefined)[] {
  let next = 0;
  const decisionOn = ({ rule }: Target) =>
    rule.limit === "unlimited" ? unlimited(rule) : (joint?.decisions[next++] as Decision);
  return targets.map((target) => target && { ...target, decision: decisionOn(target) });
}

function unlimited({ name }: Rule): Decision {
  return {
    ok: true,
    limit: name,
    capacity: Number.POSITIVE_INFINITY,
    remaining: Number.POSITIVE_INFINITY,
    retryAfter: 0,
    resetAfter: 0,
    reason: undefined,
    degraded: undefined,
  };
}
