/** Paces the requests to one host, by the quotas that it reports and by its refusals. */
import type { Advice } from "../../http/advice/index.ts";
import { BareRefusals, type RefusalCause } from "./bare-refusals.ts";
import { type HostQuota, learn, type RequestTiming } from "./host-quota.ts";
import { LearnedRate } from "./learned-rate.ts";
import type { RefusalSample } from "./rate-samples.ts";
import { RecentCount } from "./recent-count.ts";
import type { RequestStart } from "./request-starts.ts";
import { AS_FAST_AS_WANTED, type SendRate, slower, speedOf } from "./send-rate.ts";

/** The maximum number of quotas that are remembered of one host; servers have a few. */
const MOST_QUOTAS = 16;
/**
 * The time constant, in milliseconds, of the count of new requests, which predicts those to come.
 */
const OUTLOOK = 1000;

/**
 * Everything known of one host's limits on requests. Instants are milliseconds of a monotonic
 * clock.
 */
export class HostPacer {
  readonly #quotas = new Map<string, HostQuota>();
  /** The limit learnt from its refusals. */
  readonly learned: LearnedRate;
  readonly #bare = new BareRefusals();
  readonly #arrivals: RecentCount;
  /** The rate known before the trial of bare refusals began. */
  #before: number | undefined;

  constructor(now: number) {
    this.learned = new LearnedRate(now);
    this.#arrivals = new RecentCount(now, OUTLOOK);
  }

  /** All that is known of the host's quotas. */
  get quotas(): readonly HostQuota[] {
    return [...this.#quotas.values()];
  }

  /** Records a new request, before it is sent. */
  arrived(now: number): void {
    this.#arrivals.add(now);
  }

  /** Returns how fast requests may be sent now, while `waiting` of them wait. */
  speed(now: number, waiting: number): SendRate {
    const learned: SendRate = { rate: this.learned.rate, from: 0 };
    return slower(learned, this.paced(now, waiting));
  }

  /** Returns the same by the reported quotas alone. */
  paced(now: number, waiting: number): SendRate {
    const forecast = this.#forecast(now, waiting);
    let speed = AS_FAST_AS_WANTED;
    for (const quota of this.#quotas.values()) {
      if (quota.unit === "requests") speed = slower(speed, speedOf(quota, now, forecast));
    }
    return speed;
  }

  /**
   * Returns the forecast of requests. Those that wait are among the recent arrivals, so the two are
   * not added.
   */
  #forecast(now: number, waiting: number): (ms: number) => number {
    const arrivals = this.#arrivals.count(now);
    return (ms) => Math.max(waiting, arrivals * Math.min(1, ms / OUTLOOK));
  }

  /** Returns the quota that slows down most; undefined if refusals do, or if nothing does. */
  slowest(now: number, waiting: number): HostQuota | undefined {
    const requests = this.quotas.filter(({ unit }) => unit === "requests");
    const { rate, from } = this.speed(now, waiting);
    return requests.find((quota) => {
      const own = speedOf(quota, now, this.#forecast(now, waiting));
      return (
        own.rate < Number.POSITIVE_INFINITY && (own.rate <= rate || own.from >= Math.max(1, from))
      );
    });
  }

  /** Records the quotas that a response reports. */
  advised({ quotas }: Advice, timing: RequestTiming): void {
    for (const quota of quotas) {
      const known = this.#quotas.get(quota.name);
      this.#quotas.delete(quota.name);
      if (this.#quotas.size >= MOST_QUOTAS) {
        this.#quotas.delete(this.#quotas.keys().next().value as string);
      }
      this.#quotas.set(quota.name, learn(known, quota, timing));
    }
  }

  /** Forgets all quotas. */
  forget(): void {
    this.#quotas.clear();
  }

  /** Records that a request is sent. */
  begin(now: number): RequestStart {
    return this.learned.begin(now);
  }

  served(start: RequestStart): void {
    this.learned.served(start);
    this.#judge(this.#bare.served(start));
  }

  /** Records a bare refusal, such as a 503 without any advice. */
  refusedBarely(now: number, start: RequestStart, refused: RefusalSample): void {
    const { rate, known } = this.learned;
    const wasLimit = this.#bare.isLimit;
    const verdict = this.#bare.refused(start, { now, rate });
    this.#judge(verdict);
    if (verdict !== "limit") this.learned.served(start);
    else if (wasLimit) this.learned.refused(now, start, refused);
    else {
      this.#before = known;
      this.learned.refused(now, start, { ...refused, share: this.#bare.share });
    }
  }

  #judge(verdict: RefusalCause): void {
    if (verdict === "not a limit") this.learned.restore(this.#before);
  }

  /**
   * Records a refusal that no known quota explains. What is learnt from it stays, even if a trial
   * finds noise.
   */
  refused(now: number, start: RequestStart, refused: RefusalSample): void {
    this.learned.refused(now, start, refused);
    this.#before = this.learned.known;
  }

  /** Restores an earlier rate, because what was learnt since then was wrong. */
  restore(known: number | undefined): void {
    this.learned.restore(known);
    this.#before = known;
  }
}
