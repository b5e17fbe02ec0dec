/** The browser's end: asks once, counts on by itself, and has whoever listens drawn anew when something changes. */
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
import { Counting, type LimitView } from "./counting.ts";
import { fetchSnapshot, type ValueFetch } from "./fetch-snapshot.ts";
import { isHidden, unwatchVisibility, watchVisibility } from "./page.ts";
import { readSnapshot, type ValueSnapshot } from "./snapshot.ts";
import { Views } from "./views.ts";

/** How what is left is found out. */
export type ValueSourceOptions = {
  /** What the server has rendered the page with (`valueSnapshot`): then nothing is asked at first. */
  readonly initial?: ValueSnapshot | undefined;
  /** Asks the server, with a cookie or a token if it needs one. Default: the runtime's. */
  readonly fetch?: ValueFetch | undefined;
  /** The most milliseconds that an answer is waited for: 1 to 60 000. Default: 10 000. */
  readonly wait?: number | undefined;
  /** Timers, and a clock that never steps: for tests. */
  readonly scheduler?: Scheduler | undefined;
};

const TABLE = {
  initial: given<ValueSnapshot>(),
  fetch: callable<ValueFetch>(),
  wait: whole({ most: 60_000, otherwise: 10_000 }),
  scheduler,
} satisfies OptionTable<ValueSourceOptions>;

/** An answer, and when it came. */
type Answered = { readonly counting: Counting; readonly at: number };

/** Units that come back while an answer is under way are no reason to ask. */
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
 * What is left of one limit, for all parts of a page that show it. Make one outside of components.
 *
 * It asks when somebody begins to listen, when `refresh` is called, and at no other time. From when an answer
 * is there it counts by a clock that never steps, so that it does not matter what time it is here; what
 * it shows is at most as long too late as the answer was under way, and never too early.
 */
export class ValueSource {
  readonly #fetch: () => Promise<ValueSnapshot>;
  readonly #scheduler: Scheduler;
  readonly #listeners = new Map<() => void, number>();
  #answered: Answered | undefined;
  #hasFailed = false;
  #underWay: Promise<void> | undefined;
  readonly #views = new Views((count) => this.#viewNow(count));
  /** Where nobody listens there is no timer: until when a view, by its count, is as it was. */
  readonly #staysUntil = new Map<number, number>();
  readonly #initialViews: Views | undefined;
  #callOff: () => void = () => {};

  /** @throws SpillwayError `bad-option`, `unknown-field`; what `initial` is refused with */
  constructor(url: string, options: ValueSourceOptions = {}) {
    const { initial, ...settings } = readOptions({ of: "valueSource" }, options, TABLE);
    this.#scheduler = settings.scheduler;
    this.#fetch = () => fetchSnapshot(url, { ...settings, fetch: settings.fetch ?? fetch });
    if (initial !== undefined) this.#answer(initial);
    this.#initialViews = initial && initialViews(initial);
  }

  /**
   * What is left, for somebody who wants so many units. The same object until something changes that a
   * page shows: a unit is back, or a second of a wait has gone by. It counts on with no listener as well.
   */
  view(count = 1): LimitView {
    if (this.#listeners.size === 0) this.#countOn(count);
    return this.#views.of(count);
  }

  /** What the server has rendered: the page's first view has to be the same. */
  initialView(count = 1): LimitView {
    return this.#initialViews?.of(count) ?? LOADING;
  }

  /** Calls whenever something changes for somebody who wants so many units; returns how to stop. */
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

  /** Asks the server anew; never rejects. Who calls while an answer is under way waits for that. */
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
   * The same `fetch`, whose answers say what is left: `RateLimit` of the present draft, by the limit's name.
   * Headers of another origin have to be exposed to the page.
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
   * Reads what an answer says of the limit: takes what is missing, by the limit's own arithmetic, and asks
   * the server where more is left than was known, or where it refuses for longer than that explains.
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

  /** Makes the views anew where a timer would have. */
  #countOn(count: number): void {
    if (this.#answered === undefined) return;
    const { counting, at } = this.#answered;
    const now = this.#now(at);
    if (now < (this.#staysUntil.get(count) ?? 0)) return;
    this.#views.renew();
    const next = counting.nextChange(now, [count]) ?? Number.POSITIVE_INFINITY;
    this.#staysUntil.set(count, now + next);
  }

  /** Makes all views anew, and comes back when the next of them changes: by one timer. */
  readonly #update = (): void => {
    this.#callOff();
    this.#callOff = () => {};
    this.#staysUntil.clear();
    const changed = this.#views.renew();
    for (const [listener, count] of [...this.#listeners])
      if (changed.has(count)) notify(listener, undefined);
    this.#wait();
  };

  /** A page that nobody sees is not drawn: what it shows then is worked out when it is seen again. */
  #wait(): void {
    if (this.#answered === undefined || this.#listeners.size === 0 || isHidden()) return;
    const { counting, at } = this.#answered;
    const next = counting.nextChange(this.#now(at), this.#listeners.values());
    if (next !== undefined) this.#callOff = this.#scheduler.alarm(next, this.#update);
  }
}

declare const fetch: ValueFetch;

/** Makes the source of what is left: see `ValueSource`. @throws SpillwayError `bad-option`, `unknown-field` */
export function valueSource(url: string, options?: ValueSourceOptions): ValueSource {
  return new ValueSource(url, options);
}

function countingOf(snapshot: ValueSnapshot): Counting {
  return new Counting(readSnapshot(snapshot));
}

function initialViews(snapshot: ValueSnapshot): Views {
  return new Views((count) => ({ status: "ready", ...countingOf(snapshot).at(0, count) }));
}
