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
import type { LimitRequest, LimitResponse, Outcome } from "./limit-request.ts";

export type ServiceOptions = {
  readonly rules: Rules;
  /** The clock of a store in memory, and of the responses. Default: the machine's clock. */
  readonly clock?: Clock;
  /** Where state lives. Default: in this process's memory. */
  readonly store?: Store;
  /** What limits answer while a shared store gives no answer. Default: `"closed"`. */
  readonly whenUnavailable?: WhenUnavailable;
  /** Receives what is probably not what was meant. Default: the console. */
  readonly warn?: Warn;
};

/** What every transport calls. A domain or a descriptor without rules is not limited. */
export type Service = {
  readonly rules: Rules;
  /** Takes from every budget that the descriptors lead to: from all of them or from none. */
  readonly limit: (request: LimitRequest) => Promise<LimitResponse>;
  /** Answers what `limit` would, and takes nothing. */
  readonly check: (request: LimitRequest) => Promise<LimitResponse>;
  /**
   * Forgets what the budgets have used, and returns their state after that. Counts don't matter.
   *
   * @throws SpillwayError `unavailable` where the store gives no answer: some may be forgotten.
   */
  readonly reset: (request: LimitRequest) => Promise<LimitResponse>;
  /** Whether some decisions are made without the store now. Asks the store, and takes nothing. */
  readonly isDegraded: () => Promise<boolean>;
};

type Limiter = RateLimiter<Limits, Mode>;

type Target = Match & { readonly count: number };

type Ask = (asks: readonly JointAsk[]) => JointDecision | Promise<JointDecision>;

/** Makes a service of rules. Make one for a process: each has state of its own. */
export function createService(options: ServiceOptions): Service {
  const { rules, clock = systemClock, store = memoryStore({ clock }) } = options;
  const { whenUnavailable = "closed", warn = consoleWarn } = options;
  const limits = limitsOf(rules);
  const limiter: Limiter = new RateLimiter(limits, { store, whenUnavailable, warn });
  const probes = probesOf(limits);
  const respond = (request: LimitRequest, ask: Ask) =>
    responseTo({ now: clock(), targets: targetsOf(rules, request) }, ask);
  return {
    rules,
    limit: (request) => respond(request, (asks) => limiter.limitAll(asks)),
    check: (request) => respond(request, (asks) => limiter.checkAll(asks)),
    reset: (request) => respond(withoutCounts(request), (asks) => resetAll(limiter, asks)),
    isDegraded: () => doesAnyFail(limiter, probes),
  };
}

async function resetAll(limiter: Limiter, asks: readonly JointAsk[]): Promise<JointDecision> {
  // What can't be asked together is refused here, before any of it has been forgotten.
  await limiter.checkAll(asks);
  await Promise.all(asks.map(async ({ limit, count: _, ...key }) => limiter.reset(limit, key)));
  return limiter.checkAll(asks);
}

/** How many keys are read to see whether the store answers: on a cluster they are on many nodes. */
const PROBES = 16;

type Probe = { readonly limit: string; readonly key: string };

function probesOf(limits: Limits): readonly Probe[] {
  const [limit] = Object.keys(limits);
  if (limit === undefined) return [];
  return Array.from({ length: PROBES }, (_, number) => ({ limit, key: `probe ${number}` }));
}

/** Reads values, which have no fallback: decisions would be made without the store, and counted. */
async function doesAnyFail(limiter: Limiter, probes: readonly Probe[]): Promise<boolean> {
  const values = probes.map(async ({ limit, key }) => limiter.value(limit, { key }));
  const outcomes = await Promise.allSettled(values);
  return outcomes.some(({ status }) => status === "rejected");
}

type Targets = readonly (Target | undefined)[];

/** Asks about what is counted, if anything is. */
async function responseTo(
  { now, targets }: { readonly now: number; readonly targets: Targets },
  ask: Ask,
): Promise<LimitResponse> {
  const asks = targets.filter(isCounted).map(askOf);
  const joint = asks.length === 0 ? undefined : await ask(asks);
  return { now, joint, outcomes: outcomesOf(targets, joint) };
}

function limitsOf(rules: Rules): Limits {
  const counted = listRules(rules).filter(({ limit }) => limit !== "unlimited");
  return Object.fromEntries(counted.map(({ name, limit }) => [name, limit as Limit]));
}

function targetsOf(rules: Rules, request: LimitRequest): Targets {
  const branches = rules.domains.get(request.domain);
  return request.descriptors.map(({ entries, count = request.count ?? 1 }) => {
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

function withoutCounts({ domain, descriptors }: LimitRequest): LimitRequest {
  return { domain, descriptors: descriptors.map(({ entries }) => ({ entries })), count: 0 };
}

/** Hands the limits' decisions, which come in their order, to the targets that were counted. */
function outcomesOf(
  targets: Targets,
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
