import { type Clock, type Decision, memoryStore, type Store, type WhenUnavailable } from "spillway";
import { systemClock } from "spillway/core";
import { listRules, type Rule, type Rules } from "../rules/index.ts";
import { admit, type Decisions } from "./admit.ts";
import { type Awaitable, after, all } from "./awaitable.ts";
import { count } from "./count.ts";
import { jointOf, longest, tightest } from "./joint.ts";
import { changeLease, checkLeases } from "./leases.ts";
import type {
  LeaseRequest,
  LeaseResponse,
  LimitRequest,
  LimitResponse,
  Outcome,
} from "./limit-request.ts";
import { Plans } from "./plans.ts";
import { refund } from "./refund.ts";
import { hasLeases, RequestLeases } from "./request-leases.ts";
import type { Settings } from "./settings.ts";
import type { Take, Taking } from "./take.ts";
import { type Rulebook, type Target, type Targets, targetsOf } from "./targets.ts";

export type ServiceOptions = {
  readonly rules: Rules;
  /** The clock of a store in memory, and of the responses. Default: the machine's clock. */
  readonly clock?: Clock;
  /** Where state lives. Default: in this process's memory. */
  readonly store?: Store;
  /** What limits answer while a shared store gives no answer. Default: `"closed"`. */
  readonly whenUnavailable?: WhenUnavailable;
  /** What holds for all requests. Default: nothing of it. */
  readonly settings?: Settings;
};

/** What every transport calls. A domain or a descriptor without rules is not limited. */
export type Service = {
  /** The rules by which requests are decided now. */
  readonly rules: Rules;
  /** What holds for all requests. */
  readonly settings: Settings;
  /**
   * Takes from every budget that the descriptors lead to: from all of them or from none. With a store
   * in this process the response is returned, else it is promised.
   */
  readonly limit: (request: LimitRequest) => Awaitable<LimitResponse>;
  /** Answers what `limit` would, and takes nothing. */
  readonly check: (request: LimitRequest) => Awaitable<LimitResponse>;
  /**
   * Takes as `limit` does, for requests that meet a concurrency limit: what it admits is in flight
   * until its lease is released, or is over.
   *
   * @throws RequestError `wrong-kind` where all limits that the descriptors lead to are rates.
   */
  readonly acquire: (request: LimitRequest) => Awaitable<LimitResponse>;
  /**
   * Lets a lease last for its whole time from now. What the request took of rates stays taken.
   *
   * @throws RequestError `wrong-kind`; SpillwayError `unavailable` where the store gives no answer.
   */
  readonly renew: (request: LeaseRequest) => Promise<LeaseResponse>;
  /** Gives back what a lease holds; throws as `renew` does. Again, it frees nothing. */
  readonly release: (request: LeaseRequest) => Promise<LeaseResponse>;
  /**
   * Forgets what the budgets have used, and returns their state after that. Counts don't matter, and
   * limits above that also apply keep what they have.
   *
   * @throws SpillwayError `unavailable` where the store gives no answer: some may be forgotten.
   */
  readonly reset: (request: LimitRequest) => Promise<LimitResponse>;
  /** Decides by other rules from now on. A limit that both have keeps what was used. */
  readonly replaceRules: (rules: Rules) => void;
  /** Whether some decisions are made without the store now. Asks the store, and takes nothing. */
  readonly isDegraded: () => Promise<boolean>;
};

/** Makes a service of rules. Make one for a process: each has state of its own. */
export function createService(options: ServiceOptions): Service {
  const { clock = systemClock, store = memoryStore({ clock }) } = options;
  const { whenUnavailable = "closed", settings = {} } = options;
  const plans = new Plans(whenUnavailable);
  let rulebook: Rulebook = { rules: options.rules, plans, settings };
  const respondTo = (targets: Targets, verb: Taking) => {
    const leases = targets.all.some((one) => one && hasLeases(one))
      ? new RequestLeases()
      : undefined;
    return responseTo(targets, { store, verb, leases, settings, now: clock() });
  };
  const respond = (request: LimitRequest, verb: Taking) =>
    respondTo(targetsOf(rulebook, request), verb);
  const acquire = (request: LimitRequest) => {
    const targets = targetsOf(rulebook, request);
    checkLeases(targets.all);
    return respondTo(targets, "limit");
  };
  const change = async (verb: "renew" | "release", request: LeaseRequest) => {
    const { all: targets } = targetsOf(rulebook, request);
    return changeLease(targets, { store, verb, lease: request.lease });
  };
  const reset = async (request: LimitRequest) => {
    const { all: targets } = targetsOf(rulebook, request);
    await forget(store, targets);
    return respond(withoutCounts(request), "check");
  };
  return {
    get rules() {
      return rulebook.rules;
    },
    settings,
    limit: (request) => respond(request, "limit"),
    check: (request) => respond(request, "check"),
    acquire,
    renew: (request) => change("renew", request),
    release: (request) => change("release", request),
    reset,
    replaceRules: (rules) => {
      plans.turn();
      rulebook = { rules, plans, settings };
    },
    isDegraded: () => doesAnyFail(store, rulebook),
  };
}

/** How requests are dealt with, and when. */
type Way = Take & {
  readonly settings: Settings;
  readonly now: number;
};

function responseTo({ all: targets, hasFreeQuota }: Targets, way: Way): Awaitable<LimitResponse> {
  const { settings, now, store, verb, leases } = way;
  return after(decide(targets, { ...way, hasFreeQuota }), (decisions) => {
    const outcomes = targets.map((target) => target && outcomeOf(target, decisions.get(target)));
    const counted = outcomes.filter(
      (one, index): one is Outcome => one !== undefined && hasBudgets(targets[index]),
    );
    const joint = jointOf(counted, { hasFreeQuota, settings });
    // Where refused requests are charged, leases may be taken beside a counter that is above its limit.
    if (verb === "limit" && joint?.ok === false) leases?.abandon(store);
    const lease = verb === "limit" && joint?.ok ? leases?.heldBy(targets) : undefined;
    return { now, joint, outcomes, lease };
  });
}

type Deciding = Way & { readonly hasFreeQuota: boolean };

/** Decides on all targets that have budgets: those that take, those that count, those that give back. */
function decide(targets: readonly (Target | undefined)[], way: Deciding): Awaitable<Decisions> {
  const [only] = targets;
  const isPlain = targets.length === 1 && only !== undefined && !only.refund;
  const counted = targets.filter(hasBudgets);
  const admission = { ...way, passesAll: way.settings.shadow === true };
  if (isPlain && way.settings.chargeRefused !== true) return admit(counted, admission);
  const givers = counted.filter((target) => target.refund);
  const takers = counted.filter((target) => !target.refund);
  const counters = takers.filter(isCounter);
  const others = takers.filter((target) => !isCounter(target));
  const gifts = after(
    refund(givers, way),
    (all) => new Map(givers.map((one, at) => [one, all[at] ?? []])),
  );
  const parts = all<Decisions>([gifts, count(counters, way), admit(others, admission)]);
  return after(parts, (maps) => new Map(maps.flatMap((map) => [...map])));
}

function hasBudgets(target: Target | undefined): target is Target {
  return target !== undefined && target.budgets.length > 0;
}

function isCounter({ budgets }: Target): boolean {
  return budgets.every((budget) => budget.isCounter);
}

/** The decision on a target: its refusal with the longest wait, or the tightest of what admits. */
function outcomeOf(target: Target, decisions: readonly Decision[] = []): Outcome {
  const { rule, key, count, role, budgets } = target;
  if (decisions.length === 0)
    return { rule, key, count, role, decision: unlimited(rule), decidedBy: rule };
  const refusals = decisions.filter(({ ok }) => !ok);
  const decision = refusals.length > 0 ? longest(refusals) : tightest(decisions);
  const decidedBy = budgets[decisions.indexOf(decision)]?.rule ?? rule;
  return { rule, key, count, role, decision, decidedBy };
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

async function forget(store: Store, targets: readonly (Target | undefined)[]): Promise<void> {
  const own = targets.flatMap((target) =>
    target === undefined ? [] : target.budgets.filter(({ rule }) => rule === target.rule),
  );
  await Promise.all(
    own.map(async ({ plan, key, settings }) =>
      store.execute({ verb: "reset", budgets: [{ plan, key, settings }] }),
    ),
  );
}

function withoutCounts({ domain, descriptors }: LimitRequest): LimitRequest {
  return { domain, descriptors: descriptors.map(({ entries }) => ({ entries })), count: 0 };
}

/** How many keys are read to see whether the store answers: on a cluster they are on many nodes. */
const PROBES = 16;

/** Reads values, which have no fallback: decisions would be made without the store, and counted. */
async function doesAnyFail(store: Store, { rules, plans }: Rulebook): Promise<boolean> {
  const rule = listRules(rules).find(({ limit }) => limit !== "unlimited");
  if (rule === undefined) return false;
  const planned = plans.of(rule);
  const values = Array.from({ length: PROBES }, async (_, number) =>
    store.execute({ verb: "value", budgets: [{ ...planned, key: `probe ${number}` }] }),
  );
  const outcomes = await Promise.allSettled(values);
  return outcomes.some(({ status }) => status === "rejected");
}
