import {
  badOption,
  checkedRandom,
  checkFlag,
  checkFunction,
  checkOptions,
  checkWhole,
  systemScheduler,
  textFrom,
} from "../internal/index.ts";
import type { RateLimiter } from "../limiter/index.ts";
import {
  type Clock,
  checkedClock,
  DAY,
  HOUR,
  type Limits,
  LONGEST,
  type Mode,
  type Random,
  type Scheduler,
  SECOND,
  systemClock,
} from "../limits/core/index.ts";
import { PRIORITIES, type Priority } from "../shedding/index.ts";
import type { BreakerSettings } from "../stores/index.ts";
import { accountOf } from "./account.ts";
import type { OnClientEvent } from "./events.ts";
import { type OwnOptions, ownLimits, type TakeOwn } from "./own-limit.ts";
import type { ClientRequest } from "./request.ts";
import type { BackoffSettings } from "./retry/backoff.ts";
import type { RetryBudgetSettings } from "./retry/retry-budget.ts";
import { type CountOption, checkCount } from "./units/counts.ts";

/**
 * What may be sent again.
 *
 * - `"idempotent"`: GET, HEAD, OPTIONS, TRACE, PUT, DELETE, and what has an `Idempotency-Key`.
 * - `"refused"`: also any other request that was answered with 429, which says that nothing was done.
 * - A function: what it returns true for, whatever came of it.
 *
 * A body that is a stream is never sent again.
 */
export type Repeat = "idempotent" | "refused" | ((request: ClientRequest) => boolean);

/** What a request may say of itself: `fetch(url, { spillway: { priority: "low" } })`. */
export type CallOptions = {
  /** Who goes first. Default: `"normal"`. */
  readonly priority?: Priority | undefined;
  /** The most milliseconds that it waits, in all. Default: the client's. */
  readonly wait?: number | undefined;
  /** How often it is sent, at most. Default: the client's. */
  readonly attempts?: number | undefined;
  /** Default: the client's. */
  readonly repeat?: Repeat | undefined;
  /** How many tokens it uses, or how much of each unit. Default: the client's. */
  readonly count?: CountOption | undefined;
};

/** How a client behaves. Times are milliseconds. */
export type LimitedFetchOptions<L extends Limits = Limits, M extends Mode = Mode> = {
  /** The most that a request waits in all, to be sent and to be sent again: 0 to a day. Default: 30 000. */
  readonly wait?: number | undefined;
  /** How often a request is sent, at most: 1 to 100. Default: 4. */
  readonly attempts?: number | undefined;
  /** What may be sent again. Default: `"idempotent"`. */
  readonly repeat?: Repeat | undefined;
  /**
   * How many tokens a request uses, by an estimate, or how much of each unit that servers count:
   * `llmTokens`, or `{ requests: 1, tokens: 900 }`. Where a server says what is left of these units, requests wait until
   * there is enough. Default: units other than requests slow nothing down.
   */
  readonly count?: CountOption | undefined;
  /** How long to wait where no server says: full jitter up to `first`, which doubles up to `most`. Default: 500 and 30 000. */
  readonly backoff?: Partial<BackoffSettings> | undefined;
  /** How many requests may be sent again, of all. Default: 10 in ten seconds, and 0.2 for each request. */
  readonly budget?: Partial<RetryBudgetSettings> | undefined;
  /** When to stop sending to a host that fails. Default: after 5 failures in a row, with a probe every second. */
  readonly breaker?: Partial<BreakerSettings> | undefined;
  /** Whether to slow down before a server refuses. Default: true. */
  readonly pacing?: boolean | undefined;
  /** The most requests under way to one host, until their answers begin: 1 to a million. Default: a million. */
  readonly concurrency?: number | undefined;
  /** The most requests that wait for one host: 1 to a million. Default: 1000. */
  readonly maxWaiting?: number | undefined;
  /**
   * The most that a host is sent nothing because of what it has said: one request asks again then, and its
   * answer holds instead. A second to 366 days. Default: a day.
   */
  readonly maxHold?: number | undefined;
  /** Whether a GET or HEAD that is under way already is joined rather than sent again. Default: false. */
  readonly join?: boolean | undefined;
  /** Rejects with a `RateLimitError` also where a server's last refusal could be returned. Default: false. */
  readonly throws?: boolean | undefined;
  /**
   * What has a limit of its own. Default: the origin of the address, for each of the credentials in `Authorization`, in
   * headers such as `x-api-key` or `private-token`, and in `?key=`, `?api_key=` or `?access_token=`.
   */
  readonly hostOf?: ((request: ClientRequest) => string) | undefined;
  /** Limits of one's own, on any store: taken before a request is sent. */
  readonly limiter?: RateLimiter<L, M> | undefined;
  /**
   * The name of one, or of several, which are taken together or not at all. A concurrency limit counts a
   * request until its answer's body has been read; one that takes longer than its `ttl` is forgotten.
   */
  readonly limit?: (keyof L & string) | readonly (keyof L & string)[] | undefined;
  /** Whose budget it is. Default: the host's name. */
  readonly key?: string | ((host: string, limit: string) => string) | undefined;
  readonly onEvent?: OnClientEvent | undefined;
  /** Hosts that are remembered; the one that was used longest ago goes first: 1 to a million. Default: 1000. */
  readonly maxHosts?: number | undefined;
  /** The time of day, for dates of servers that don't say theirs. Default: the machine's. */
  readonly clock?: Clock | undefined;
  /** Where jitter comes from. */
  readonly random?: Random | undefined;
  /** Timers, and a clock that never steps: for tests. */
  readonly scheduler?: Scheduler | undefined;
};

const NAMES: readonly (keyof LimitedFetchOptions)[] = [
  "wait",
  "attempts",
  "repeat",
  "count",
  "backoff",
  "budget",
  "breaker",
  "pacing",
  "concurrency",
  "maxWaiting",
  "maxHold",
  "join",
  "throws",
  "hostOf",
  "limiter",
  "limit",
  "key",
  "onEvent",
  "maxHosts",
  "clock",
  "random",
  "scheduler",
];
const CALL_NAMES: readonly (keyof CallOptions)[] = [
  "priority",
  "wait",
  "attempts",
  "repeat",
  "count",
];
const MILLION = 1_000_000;

/** What a request says, with what its client says; `count` is undefined where neither does. */
export type CallSettings = {
  readonly [N in Exclude<keyof CallOptions, "count">]-?: NonNullable<CallOptions[N]>;
} & Pick<CallOptions, "count">;

/** The same, all said and checked. */
export type ClientSettings = {
  readonly call: CallSettings;
  readonly backoff: BackoffSettings;
  readonly budget: RetryBudgetSettings;
  readonly breaker: BreakerSettings;
  readonly pacing: boolean;
  readonly concurrency: number;
  readonly maxWaiting: number;
  readonly maxHold: number;
  readonly join: boolean;
  readonly throws: boolean;
  readonly hostOf: (request: ClientRequest) => string;
  /** A digest of the credentials whose limits are apart; "" where that is no matter. */
  readonly accountOf: (request: ClientRequest) => string;
  readonly own: TakeOwn | undefined;
  readonly onEvent: OnClientEvent | undefined;
  readonly maxHosts: number;
  readonly clock: Clock;
  readonly random: Random;
  readonly scheduler: Scheduler;
};

/** @throws SpillwayError `bad-option`, `unknown-field`, `unknown-limit` */
export function checkedClientOptions(options: LimitedFetchOptions): ClientSettings {
  checkOptions("limitedFetch", options, NAMES);
  const { wait = 30_000, attempts = 4, repeat = "idempotent" } = options;
  const { pacing = true, join = false, throws = false } = options;
  const { concurrency = MILLION, maxWaiting = 1000, maxHosts = 1000 } = options;
  const call = checkedCall({ priority: "normal", wait, attempts, repeat, count: options.count });
  const { maxHold = DAY } = options;
  for (const [field, value] of Object.entries({ pacing, join, throws })) checkFlag(field, value);
  for (const [field, value] of Object.entries({ concurrency, maxWaiting, maxHosts })) {
    checkWhole(field, value, { most: MILLION });
  }
  checkWhole("maxHold", maxHold, { least: SECOND, most: LONGEST });
  checkFunction("hostOf", options.hostOf);
  checkFunction("onEvent", options.onEvent);
  return {
    call,
    backoff: checkedBackoff(options.backoff ?? {}),
    budget: checkedBudget(options.budget ?? {}),
    breaker: checkedBreaker(options.breaker ?? {}),
    pacing,
    join,
    throws,
    concurrency,
    maxWaiting,
    maxHold,
    maxHosts,
    hostOf: checkedHostOf(options.hostOf),
    // Who says what has a limit of its own knows whether that is an account.
    accountOf: options.hostOf === undefined ? accountOf : () => "",
    own: ownLimits(options as OwnOptions),
    onEvent: options.onEvent,
    clock: checkedClock(options.clock ?? systemClock),
    random: checkedRandom(options.random),
    scheduler: options.scheduler ?? systemScheduler,
  };
}

/** What is no text, such as a promise, would be a host of its own for each request, without any limit. */
function checkedHostOf(hostOf: LimitedFetchOptions["hostOf"]): ClientSettings["hostOf"] {
  if (hostOf === undefined) return ({ origin }) => origin;
  return (request) => textFrom("hostOf", hostOf(request));
}

/** What a request says, over what its client says. @throws SpillwayError */
export function callOptions(client: CallSettings, said: unknown): CallSettings {
  if (said === undefined || said === null) return client;
  checkOptions("a request", said as object, CALL_NAMES);
  const known = Object.entries(said as CallOptions).filter(([, value]) => value !== undefined);
  return checkedCall({ ...client, ...Object.fromEntries(known) });
}

function checkedCall(call: CallSettings): CallSettings {
  if (!PRIORITIES.includes(call.priority))
    throw badOption("priority", call.priority, `one of ${PRIORITIES.join(", ")}`);
  checkWhole("wait", call.wait, { least: 0, most: DAY });
  checkWhole("attempts", call.attempts, { most: 100 });
  const isKnown = call.repeat === "idempotent" || call.repeat === "refused";
  if (!isKnown) checkFunction("repeat", call.repeat, '"idempotent", "refused" or a function');
  checkCount(call.count);
  return call;
}

function checkedBackoff(backoff: Partial<BackoffSettings>): BackoffSettings {
  checkOptions("backoff", backoff, ["first", "most"]);
  const { first = 500, most = Math.max(30_000, first) } = backoff;
  checkWhole("backoff.first", first, { most: HOUR });
  checkWhole("backoff.most", most, { least: first, most: DAY });
  return { first, most };
}

function checkedBudget(budget: Partial<RetryBudgetSettings>): RetryBudgetSettings {
  checkOptions("budget", budget, ["ratio", "least"]);
  const { ratio = 0.2, least = 10 } = budget;
  const fits = typeof ratio === "number" && ratio >= 0 && ratio <= 10;
  if (!fits) throw badOption("budget.ratio", ratio, "a number from 0 to 10");
  checkWhole("budget.least", least, { least: 0, most: 10_000 });
  return { ratio, least };
}

function checkedBreaker(breaker: Partial<BreakerSettings>): BreakerSettings {
  checkOptions("breaker", breaker, ["failures", "pause"]);
  const { failures = 5, pause = 1000 } = breaker;
  checkWhole("breaker.failures", failures, { most: MILLION });
  checkWhole("breaker.pause", pause, { most: HOUR });
  return { failures, pause };
}
