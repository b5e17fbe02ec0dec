/** How a client behaves, as its users write it. */
import type { Priority } from "../internal/index.ts";
import type { AnyLimiter } from "../limiter/index.ts";
import type { Clock, Limits, Random, Scheduler } from "../limits/core/index.ts";
import type { BreakerSettings } from "../stores/index.ts";
import type { OnClientEvent } from "./events.ts";
import type { ClientRequest } from "./requests/request.ts";
import type { BackoffSettings } from "./retry/backoff.ts";
import type { RetryBudgetSettings } from "./retry/retry-budget.ts";
import type { CountOption } from "./units/counts.ts";

/**
 * What may be sent again.
 *
 * - `"idempotent"`: GET, HEAD, OPTIONS, TRACE, PUT, DELETE, and what has an `Idempotency-Key`.
 * - `"refused"`: also any other request that was answered with 429, which says that nothing was
 *   done.
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
export type LimitedFetchOptions<L extends Limits = Limits> = {
  /**
   * The most that a request waits in all, to be sent and to be sent again: 0 to a day. Default: 30
   * 000.
   */
  readonly wait?: number | undefined;
  /** How often a request is sent, at most: 1 to 100. Default: 4. */
  readonly attempts?: number | undefined;
  /** What may be sent again. Default: `"idempotent"`. */
  readonly repeat?: Repeat | undefined;
  /**
   * How many tokens a request uses, by an estimate, or how much of each unit that servers count:
   * `llmTokens`, or `{ requests: 1, tokens: 900 }`. Where a server says what is left of these
   * units, requests wait until there is enough. Default: units other than requests slow nothing
   * down.
   */
  readonly count?: CountOption | undefined;
  /**
   * How long to wait where no server says: full jitter up to `first`, which doubles up to `most`.
   * Default: 500 and 30 000.
   */
  readonly backoff?: Partial<BackoffSettings> | undefined;
  /**
   * How many requests may be sent again, of all. Default: 10 in ten seconds, and 0.2 for each
   * request.
   */
  readonly budget?: Partial<RetryBudgetSettings> | undefined;
  /**
   * When to stop sending to a host that fails. Default: after 5 failures in a row, with a probe
   * every second.
   */
  readonly breaker?: Partial<BreakerSettings> | undefined;
  /** Whether to slow down before a server refuses. Default: true. */
  readonly pacing?: boolean | undefined;
  /**
   * The most requests under way to one host, until their answers begin: 1 to a million. Default: a
   * million.
   */
  readonly concurrency?: number | undefined;
  /** The most requests that wait for one host: 1 to a million. Default: 1000. */
  readonly maxWaiting?: number | undefined;
  /**
   * The most that a host is sent nothing because of what it has said: one request asks again then,
   * and its answer holds instead. A second to 366 days. Default: a day.
   */
  readonly maxHold?: number | undefined;
  /**
   * Whether a GET or HEAD that is under way already is joined rather than sent again. Default:
   * false.
   */
  readonly join?: boolean | undefined;
  /**
   * Rejects with a `RateLimitError` also where a server's last refusal could be returned. Default:
   * false.
   */
  readonly throws?: boolean | undefined;
  /**
   * What has a limit of its own. Default: the origin of the address, for each of the credentials in
   * `Authorization`, in headers such as `x-api-key` or `private-token`, and in `?key=`, `?api_key=`
   * or `?access_token=`.
   */
  readonly hostOf?: ((request: ClientRequest) => string) | undefined;
  /** Limits of one's own, on any store: taken before a request is sent. */
  readonly limiter?: AnyLimiter<L> | undefined;
  /**
   * The name of one, or of several, which are taken together or not at all. A concurrency limit
   * counts a request until its answer's body has been read; one that takes longer than its `ttl` is
   * forgotten.
   */
  readonly limit?: (keyof L & string) | readonly (keyof L & string)[] | undefined;
  /** Whose budget it is. Default: the host's name. */
  readonly key?: string | ((host: string, limit: string) => string) | undefined;
  readonly onEvent?: OnClientEvent | undefined;
  /**
   * Hosts that are remembered; the one that was used longest ago goes first: 1 to a million.
   * Default: 1000.
   */
  readonly maxHosts?: number | undefined;
  /** The time of day, for dates of servers that don't say theirs. Default: the machine's. */
  readonly clock?: Clock | undefined;
  /** The source of random numbers for jitter. Default: the runtime's. */
  readonly random?: Random | undefined;
  /** Timers and a monotonic clock. Replaced in tests. */
  readonly scheduler?: Scheduler | undefined;
};
