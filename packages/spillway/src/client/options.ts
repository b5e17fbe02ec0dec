/** The options of a client, as its users write them. */
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
 * Which requests may be sent again.
 *
 * - `"idempotent"`: GET, HEAD, OPTIONS, TRACE, PUT, DELETE, and requests with an `Idempotency-Key`.
 * - `"refused"`: also any other request that the server refused, with 429 for example, which means
 *   that nothing was done.
 * - A function: requests for which it returns true, regardless of their result.
 *
 * A request whose body is a stream is never sent again.
 */
export type Repeat = "idempotent" | "refused" | ((request: ClientRequest) => boolean);

/** Options of one request: `fetch(url, { spillway: { priority: "low" } })`. */
export type CallOptions = {
  /** Which requests go first. Default: `"normal"`. */
  readonly priority?: Priority | undefined;
  /** The longest total wait, in milliseconds. Default: the client's. */
  readonly wait?: number | undefined;
  /** The maximum number of attempts. Default: the client's. */
  readonly attempts?: number | undefined;
  /** Whether it may be sent again. Default: the client's. */
  readonly repeat?: Repeat | undefined;
  /** How many tokens it uses, or how much of each unit. Default: the client's. */
  readonly count?: CountOption | undefined;
};

/** The options of a client. Times are in milliseconds. */
export type LimitedFetchOptions<L extends Limits = Limits> = {
  /**
   * The longest total wait of a request, before its first attempt and between attempts: 0 to a day.
   * Default: 30 000.
   */
  readonly wait?: number | undefined;
  /** The maximum number of attempts for a request: 1 to 100. Default: 4. */
  readonly attempts?: number | undefined;
  /** Which requests may be sent again. Default: `"idempotent"`. */
  readonly repeat?: Repeat | undefined;
  /**
   * How many tokens a request uses, as an estimate; or how much of each unit that servers count.
   *
   * For example `llmTokens`, or `{ requests: 1, tokens: 900 }`. If a server reports what is left of
   * these units, requests wait until enough is left. Default: only requests are counted.
   */
  readonly count?: CountOption | undefined;
  /**
   * How long to wait if the server names no time: full jitter up to `first`, which doubles up to
   * `most`. Default: 500 and 30 000.
   */
  readonly backoff?: Partial<BackoffSettings> | undefined;
  /**
   * How many requests may be sent again, over all requests of the client. Default: 10 in ten
   * seconds, plus 0.2 for each request.
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
   * The maximum number of requests under way to one host, each until its response begins: 1 to a
   * million. Default: a million.
   */
  readonly concurrency?: number | undefined;
  /** The maximum number of requests that wait for one host: 1 to a million. Default: 1000. */
  readonly maxWaiting?: number | undefined;
  /**
   * The longest pause that a host can cause by naming a wait. Default: a day.
   *
   * From a second to 366 days. Afterwards one request is sent, and its response replaces the wait
   * named before.
   */
  readonly maxHold?: number | undefined;
  /**
   * Whether a GET or HEAD shares the response of an identical one that is under way. Default:
   * false.
   */
  readonly join?: boolean | undefined;
  /**
   * Whether to reject with a `RateLimitError` instead of returning a server's last refusal or
   * failure. Default: false.
   */
  readonly throws?: boolean | undefined;
  /**
   * Returns a name for what has a limit of its own. Default: the origin of the URL, separately for
   * each account.
   *
   * An account is recognized by its credentials: in `Authorization`, in headers such as `x-api-key`
   * or `private-token`, and in `?key=`, `?api_key=` or `?access_token=`.
   */
  readonly hostOf?: ((request: ClientRequest) => string) | undefined;
  /**
   * A limiter with limits of the client's own, on any store. They are taken before a request is
   * sent.
   */
  readonly limiter?: AnyLimiter<L> | undefined;
  /**
   * The name of such a limit, or of several, of which all are taken or none. A concurrency limit
   * counts a request until the body of its response has been read. A request that takes longer than
   * the limit's `ttl` is no longer counted.
   */
  readonly limit?: (keyof L & string) | readonly (keyof L & string)[] | undefined;
  /** The key whose budget is used. Default: the host's name. */
  readonly key?: string | ((host: string, limit: string) => string) | undefined;
  readonly onEvent?: OnClientEvent | undefined;
  /**
   * The maximum number of hosts that are remembered: 1 to a million. The least recently used one is
   * forgotten first. Default: 1000.
   */
  readonly maxHosts?: number | undefined;
  /** The time of day, for responses without a `Date`. Default: the machine's. */
  readonly clock?: Clock | undefined;
  /** The source of random numbers for jitter. Default: the runtime's. */
  readonly random?: Random | undefined;
  /** Timers and a monotonic clock. Replaced in tests. */
  readonly scheduler?: Scheduler | undefined;
};
