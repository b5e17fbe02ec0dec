import { type Clock, memoryStore, type Store, type WhenUnavailable } from "spillway";
import { systemClock } from "spillway/core";
import { listRules, type Rules } from "../rules/index.ts";
import { type Awaitable, after } from "./awaitable.ts";
import { checkLeases, hasLeases } from "./kinds.ts";
import { changeLease } from "./leases.ts";
import type {
  BlockRequest,
  Decided,
  KeyRequest,
  LeaseRequest,
  LeaseResponse,
  LimitRequest,
  LimitResponse,
  OnDecided,
  SettleRequest,
  ValuesResponse,
} from "./limit-request.ts";
import { Plans } from "./plans.ts";
import { type Execute, executeOn } from "./remote/execute.ts";
import { RequestLeases } from "./request-leases.ts";
import { responseTo } from "./respond.ts";
import { RulesInUse } from "./rules-in-use.ts";
import type { Settings } from "./settings.ts";
import type { Taking } from "./take.ts";
import { ownBudgets, type Rulebook, type Target, type Targets, targetsOf } from "./targets.ts";
import { changeBlock, readValues, settle } from "./values.ts";

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
  /** Receives what `limit`, `check` and `acquire` decide. Default: nobody does. */
  readonly onDecided?: OnDecided | undefined;
  /** Receives the rules that are in use, at once and whenever there are others. Default: nobody does. */
  readonly onRules?: ((rules: Rules) => void) | undefined;
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
   * Replaces estimates that were taken by what was really used, under all rates of each descriptor.
   *
   * @throws RequestError `wrong-kind`; SpillwayError `unavailable` where the store gives no answer:
   *   some may be settled.
   */
  readonly settle: (request: SettleRequest) => Promise<ValuesResponse>;
  /**
   * Reads what is left: of the limits that apply to a descriptor, the tightest.
   *
   * @throws SpillwayError `unavailable` where the store gives no answer.
   */
  readonly value: (request: KeyRequest) => Promise<ValuesResponse>;
  /**
   * Refuses all that meets the rules' own budgets for a time, in place of any earlier block.
   *
   * @throws RequestError `nothing-to-block`; SpillwayError `unavailable`, where some may be blocked.
   */
  readonly block: (request: BlockRequest) => Promise<ValuesResponse>;
  /** Ends blocks. What was used stays. Throws `unavailable` as `block` does. */
  readonly unblock: (request: KeyRequest) => Promise<ValuesResponse>;
  /**
   * Forgets what the budgets have used, and returns their state after that. Counts don't matter, and
   * limits above that also apply keep what they have.
   *
   * @throws SpillwayError `unavailable` where the store gives no answer: some may be forgotten.
   */
  readonly reset: (request: LimitRequest) => Promise<LimitResponse>;
  /**
   * Carries out commands on budgets of limits that the caller defines, which are kept apart from those
   * of rules: for programs whose store is this service.
   *
   * @throws RequestError `bad-field` before any is carried out.
   */
  readonly execute: Execute;
  /**
   * Decides by other rules, from the end of this call or, where it returns a promise, until that is resolved. A
   * limit that both have keeps what was used. Of several that are waited for the last holds.
   *
   * A store across a network that lends units is waited for, for 250 ms at most: what is held under definitions that
   * the new rules don't have goes back first, for under others it would count as used.
   */
  readonly replaceRules: (rules: Rules) => Awaitable<void>;
  /**
   * Makes it ready to decide by other rules, as `replaceRules` does, and returns what has it do so: for several
   * services on one store, none of which is to begin before what all of them hold is back.
   */
  readonly prepareRules: (rules: Rules) => Awaitable<() => void>;
  /** Whether some decisions are made without the store now. Asks the store, and takes nothing. */
  readonly isDegraded: () => Promise<boolean>;
};

/** Makes a service of rules. Make one for a process: each has state of its own. */
export function createService(options: ServiceOptions): Service {
  const { clock = systemClock, store = memoryStore({ clock }) } = options;
  const { whenUnavailable = "closed", settings = {} } = options;
  const { rules, onRules } = options;
  const plans = new Plans(whenUnavailable);
  const inUse = new RulesInUse({ rules, plans, settings, store, onRules });
  const respondTo = (targets: Targets, verb: Taking) => {
    const leases = targets.all.some((one) => one && hasLeases(one))
      ? new RequestLeases()
      : undefined;
    return responseTo(targets, { store, verb, leases, settings, now: clock() });
  };
  const respond = (request: LimitRequest, verb: Taking) =>
    respondTo(targetsOf(inUse.rulebook, request), verb);
  const acquire = (request: LimitRequest) => {
    const targets = targetsOf(inUse.rulebook, request);
    checkLeases(targets.all);
    return respondTo(targets, "limit");
  };
  const change = async (verb: "renew" | "release", request: LeaseRequest) => {
    const { all: targets } = targetsOf(inUse.rulebook, request);
    return changeLease(targets, { store, verb, lease: request.lease });
  };
  const targetsAt = ({ domain, descriptors }: KeyRequest) => {
    const bare = descriptors.map(({ entries }) => ({ entries }));
    return targetsOf(inUse.rulebook, { domain, descriptors: bare }).all;
  };
  const reset = async (request: LimitRequest) => {
    const { all: targets } = targetsOf(inUse.rulebook, request);
    await forget(store, targets);
    return respond(withoutCounts(request), "check");
  };
  const report = options.onDecided;
  const noting = (verb: Decided["verb"], decide: (request: LimitRequest) => Answered) => {
    if (report === undefined) return decide;
    const isShadow = settings.shadow === true;
    return (request: LimitRequest) =>
      after(decide(request), (response) => {
        report({ verb, request, response, rules: inUse.rulebook.rules, isShadow });
        return response;
      });
  };
  return {
    get rules() {
      return inUse.rulebook.rules;
    },
    settings,
    limit: noting("limit", (request) => respond(request, "limit")),
    check: noting("check", (request) => respond(request, "check")),
    acquire: noting("acquire", acquire),
    renew: (request) => change("renew", request),
    release: (request) => change("release", request),
    settle: async (request) => settle(store, targetsAt(request), request.descriptors),
    value: async (request) => readValues(store, targetsAt(request)),
    block: async (request) => changeBlock(store, targetsAt(request), request.for),
    unblock: async (request) => changeBlock(store, targetsAt(request), undefined),
    reset,
    execute: executeOn(store),
    replaceRules: (rules) => after(inUse.prepare(rules), (use) => use()),
    prepareRules: (rules) => inUse.prepare(rules),
    isDegraded: () => doesAnyFail(store, inUse.rulebook),
  };
}

type Answered = Awaitable<LimitResponse>;

async function forget(store: Store, targets: readonly (Target | undefined)[]): Promise<void> {
  const own = targets.flatMap((target) => (target === undefined ? [] : ownBudgets(target)));
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
