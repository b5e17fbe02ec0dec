/** How fast one host is sent requests: by what it says is left, and by what it has refused. */
import type { Advice } from "../../http/advice/index.ts";
import { BareRefusals, type RefusalCause } from "./bare-refusals.ts";
import { type HostQuota, learn, type RequestTiming } from "./host-quota.ts";
import { LearnedRate, type RefusalSample } from "./learned-rate.ts";
import { RecentCount } from "./recent-count.ts";
import type { RequestStart } from "./request-starts.ts";
import { AS_FAST_AS_WANTED, type SendRate, slower, speedOf } from "./send-rate.ts";

/** Quotas of one host that are remembered: servers have a few. */
const MOST_QUOTAS = 16;
/** Milliseconds of which what has come is a guess of what comes in as many. */
const OUTLOOK = 1000;

/** Everything a client knows of the limits of one host. Milliseconds of a clock that never steps. */
export class HostPacer {
  readonly #standings = new Map<string, HostQuota>();
  /** What its refusals have taught. */
  readonly learned: LearnedRate;
  readonly #bare = new BareRefusals();
  readonly #arrivals: RecentCount;
  /** What was known before it was tried whether bare refusals are a limit's. */
  #before: number | undefined;

  constructor(now: number) {
    this.learned = new LearnedRate(now);
    this.#arrivals = new RecentCount(now, OUTLOOK);
  }

  /** What is known of quotas. */
  get standings(): readonly HostQuota[] {
    return [...this.#standings.values()];
  }

  /** A request has come, which is to be sent. */
  arrived(now: number): void {
    this.#arrivals.add(now);
  }

  /** How fast may be sent now, while so many wait. */
  speed(now: number, waiting: number): SendRate {
    const learned: SendRate = { rate: this.learned.rate, from: 0 };
    return slower(learned, this.paced(now, waiting));
  }

  /** The same by what the server says alone. */
  paced(now: number, waiting: number): SendRate {
    const demand = this.#demand(now, waiting);
    let speed = AS_FAST_AS_WANTED;
    for (const standing of this.#standings.values()) {
      if (standing.unit === "requests") speed = slower(speed, speedOf(standing, now, demand));
    }
    return speed;
  }

  /** Those who wait have come in that time, too. */
  #demand(now: number, waiting: number): (ms: number) => number {
    const arrivals = this.#arrivals.count(now);
    return (ms) => Math.max(waiting, arrivals * Math.min(1, ms / OUTLOOK));
  }

  /** The quota that slows down most; undefined where refusals do, or nothing does. */
  slowest(now: number, waiting: number): HostQuota | undefined {
    const requests = this.standings.filter(({ unit }) => unit === "requests");
    const { rate, from } = this.speed(now, waiting);
    return requests.find((standing) => {
      const own = speedOf(standing, now, this.#demand(now, waiting));
      return (
        own.rate < Number.POSITIVE_INFINITY && (own.rate <= rate || own.from >= Math.max(1, from))
      );
    });
  }

  /** An answer says what is left. */
  advised({ quotas }: Advice, timing: RequestTiming): void {
    for (const quota of quotas) {
      const known = this.#standings.get(quota.name);
      this.#standings.delete(quota.name);
      if (this.#standings.size >= MOST_QUOTAS) {
        this.#standings.delete(this.#standings.keys().next().value as string);
      }
      this.#standings.set(quota.name, learn(known, quota, timing));
    }
  }

  /** What was said of quotas holds no more. */
  forget(): void {
    this.#standings.clear();
  }

  /** A request is sent. */
  begin(now: number): RequestStart {
    return this.learned.begin(now);
  }

  served(start: RequestStart): void {
    this.learned.served(start);
    this.#judge(this.#bare.served(start));
  }

  /** A request was refused without a word, as by a bare 503. */
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

  /** A request was refused, and nothing that is known speaks against it: what that teaches holds whatever a trial shows. */
  refused(now: number, start: RequestStart, refused: RefusalSample): void {
    this.learned.refused(now, start, refused);
    this.#before = this.learned.known;
  }

  /** What was learnt since that was known was wrong. */
  restore(known: number | undefined): void {
    this.learned.restore(known);
    this.#before = known;
  }
}
