/**
 * The browser's part: requests the remaining units once, updates them by itself, and notifies
 * listeners.
 */
import {
  callable,
  given,
  notify,
  type OptionTable,
  readOptions,
  scheduler,
  whole,
} from "../../internal/index.ts";
import { type Scheduler, SECOND } from "../../limits/core/index.ts";
import { type ClientResponse, type Fetch, readAdvice } from "../advice/index.ts";
import { policyName } from "../headers/index.ts";
import { type LimitView, ValueCounter } from "./counting.ts";
import { fetchSnapshot, type ValueFetch } from "./fetch-snapshot.ts";
import { isHidden, unwatchVisibility, watchVisibility } from "./page.ts";
import { readSnapshot, type ValueSnapshot } from "./snapshot.ts";
import { Views } from "./views.ts";

/** The options of a source. */
export type ValueSourceOptions = {
  /**
   * The snapshot with which the server rendered the page (`valueSnapshot`). It replaces the first
   * request.
   */
  readonly initial?: ValueSnapshot | undefined;
  /**
   * Sends the request, with a cookie or a token if the server needs one. Default: the runtime's
   * `fetch`.
   */
  readonly fetch?: ValueFetch | undefined;
  /** How long to wait for an answer, in milliseconds: 1 to 60 000. Default: 10 000. */
  readonly wait?: number | undefined;
  /** Timers and a monotonic clock. Replaced in tests. */
  readonly scheduler?: Scheduler | undefined;
};

const TABLE = {
  initial: given<ValueSnapshot>(),
  fetch: callable<ValueFetch>(),
  wait: whole({ most: 60_000, otherwise: 10_000 }),
  scheduler,
} satisfies OptionTable<ValueSourceOptions>;

/** An answer, and when it arrived. */
type ReceivedValue = { readonly counting: ValueCounter; readonly at: number };

/**
 * The units that may come back while a response is on its way. A surplus up to this number causes
 * no request.
 */
const ROUNDED = 1;

const LOADING: LimitView = {
  status: "loading",
  ok: true,
  limit: undefined,
  capacity: undefined,
  remaining: undefined,
  retryAfter: 0,
  resetAfter: 0,
  reason: undefined,
};

/**
 * Keeps what is left of one limit up to date, for all parts of a page. Create it outside of
 * components.
 *
 * It sends a request when a listener subscribes before the first answer, and when `refresh` is
 * called. `heard` also sends a request if a response contradicts the known state.
 *
 * After an answer it counts with a monotonic clock, so the time of day does not matter. The values
 * lag by at most the travel time of the answer, and are never early.
 */
export class ValueSource {
  readonly #fetch: () => Promise<ValueSnapshot>;
  readonly #scheduler: Scheduler;
  readonly #listeners = new Map<() => void, number>();
  #answered: ReceivedValue | undefined;
  #hasFailed = false;
  #underWay: Promise<void> | undefined;
  readonly #views = new Views((count) => this.#viewNow(count));
  /**
   * Without listeners there is no timer. This map has the instant until which each count's view
   * stays the same.
   */
  readonly #staysUntil = new Map<number, number>();
  readonly #initialViews: Views | undefined;
  #callOff: () => void = () => {};

  /**
   * @throws SpillwayError `bad-option`, `unknown-field`, or any error with which `initial` is
   * refused
   */
  constructor(url: string, options: ValueSourceOptions = {}) {
    const { initial, ...settings } = readOptions({ of: "valueSource" }, options, TABLE);
    this.#scheduler = settings.scheduler;
    this.#fetch = () => fetchSnapshot(url, { ...settings, fetch: settings.fetch ?? fetch });
    if (initial !== undefined) this.#answer(initial);
    this.#initialViews = initial && initialViews(initial);
  }

  /**
   * Returns what is left, for a caller that wants `count` units. Works without listeners, too.
   *
   * Returns the same object until a shown value changes: a unit has come back, or a second of a
   * wait has passed.
   */
  view(count = 1): LimitView {
    if (this.#listeners.size === 0) this.#countOn(count);
    return this.#views.of(count);
  }

  /** Returns what the server has rendered. The first view of the page must be the same. */
  initialView(count = 1): LimitView {
    return this.#initialViews?.of(count) ?? LOADING;
  }

  /**
   * Calls `changed` whenever the view of `count` units changes. Returns a function that stops this.
   */
  subscribe(changed: () => void, count = 1): () => void {
    const listener = () => changed();
    this.view(count);
    this.#listeners.set(listener, count);
    if (this.#listeners.size === 1) watchVisibility(this.#update);
    if (this.#answered === undefined && !this.#hasFailed) this.refresh();
    this.#update();
    return () => {
      if (!this.#listeners.delete(listener) || this.#listeners.size > 0) return;
      this.#callOff();
      unwatchVisibility(this.#update);
    };
  }

  /**
   * Requests the value again; never rejects. A call during a pending request shares that request.
   */
  refresh(): Promise<void> {
    this.#underWay ??= this.#fetch()
      .then((snapshot) => this.#answer(snapshot))
      .catch(() => {
        this.#hasFailed = true;
      })
      .then(() => {
        this.#underWay = undefined;
        this.#update();
      });
    return this.#underWay;
  }

  /**
   * Returns the same `fetch`, whose responses also update what is left.
   *
   * Reads `RateLimit` of the current draft, by the limit's name. Responses of another origin must
   * expose their headers to the page.
   */
  watch<F extends Fetch>(fetch: F): F {
    const watched: Fetch = async (...values) => {
      const response = await fetch(...values);
      this.heard(response);
      return response;
    };
    return watched as F;
  }

  /**
   * Updates what is left from a response. If less is left than expected, takes the difference by
   * the limit's own arithmetic.
   *
   * Sends a request if more is left than expected, or if the response refuses for much longer than
   * expected.
   */
  heard({ headers, status }: Pick<ClientResponse, "headers" | "status">): void {
    if (this.#answered === undefined) return;
    const { counting, at } = this.#answered;
    const { quotas, retryAfter = 0 } = readAdvice(headers, 0);
    const name = policyName(counting.limit);
    const quota = quotas.find((quota) => quota.name === name);
    if (quota === undefined) return;
    const now = this.#now(at);
    const missing = counting.at(now, 1).remaining - quota.remaining;
    counting.take(now, missing);
    const isSurprise = status >= 400 && retryAfter > counting.at(now, 1).retryAfter + SECOND;
    if (missing < -ROUNDED || isSurprise) void this.refresh();
    this.#update();
  }

  #answer(snapshot: ValueSnapshot): void {
    this.#answered = { counting: countingOf(snapshot), at: this.#scheduler.elapsed() };
    this.#hasFailed = false;
  }

  #now(at: number): number {
    return Math.floor(this.#scheduler.elapsed() - at);
  }

  #viewNow(count: number): LimitView {
    const status = this.#hasFailed ? "failed" : "ready";
    if (this.#answered === undefined) return this.#hasFailed ? { ...LOADING, status } : LOADING;
    const { counting, at } = this.#answered;
    return { status, ...counting.at(this.#now(at), count) };
  }

  /** Renews the views when they are read, if no timer does. */
  #countOn(count: number): void {
    if (this.#answered === undefined) return;
    const { counting, at } = this.#answered;
    const now = this.#now(at);
    if (now < (this.#staysUntil.get(count) ?? 0)) return;
    this.#views.renew();
    const next = counting.nextChange(now, [count]) ?? Number.POSITIVE_INFINITY;
    this.#staysUntil.set(count, now + next);
  }

  /** Renews all views, notifies listeners of changes, and sets one timer for the next change. */
  readonly #update = (): void => {
    this.#callOff();
    this.#callOff = () => {};
    this.#staysUntil.clear();
    const changed = this.#views.renew();
    for (const [listener, count] of [...this.#listeners])
      if (changed.has(count)) notify(listener, undefined);
    this.#wait();
  };

  /**
   * Starts no timer while the page is hidden. Its views are computed when it becomes visible again.
   */
  #wait(): void {
    if (this.#answered === undefined || this.#listeners.size === 0 || isHidden()) return;
    const { counting, at } = this.#answered;
    const next = counting.nextChange(this.#now(at), this.#listeners.values());
    if (next !== undefined) this.#callOff = this.#scheduler.alarm(next, this.#update);
  }
}

declare const fetch: ValueFetch;

/**
 * Creates a `ValueSource`. @throws SpillwayError `bad-option`, `unknown-field`, or any error with
 * which `initial` is refused
 */
export function valueSource(url: string, options?: ValueSourceOptions): ValueSource {
  return new ValueSource(url, options);
}

function countingOf(snapshot: ValueSnapshot): ValueCounter {
  return new ValueCounter(readSnapshot(snapshot));
}

function initialViews(snapshot: ValueSnapshot): Views {
  return new Views((count) => ({ status: "ready", ...countingOf(snapshot).at(0, count) }));
}
