/**
 * Everything that one host reports of units that a request may use any number of, such as tokens.
 */
import type { Advice, Quota } from "../../http/advice/index.ts";
import { RecentCount } from "../pace/recent-count.ts";
import type { RequestStart } from "../pace/request-starts.ts";
import { Allowance, type ChargedUnits, type RequestUnits } from "./allowance.ts";
import { type Counts, countOf } from "./counts.ts";
import { MeanUnits } from "./mean-units.ts";
import type { AnswerTimes } from "./quota-view.ts";

/** The maximum number of quotas that are remembered of one host; servers have a few. */
const MOST_QUOTAS = 16;
/**
 * The time constant, in milliseconds, of the count of new requests, which predicts those to come.
 */
const ARRIVALS_SPAN_MS = 1000;
/** Units that servers may count only while they produce an answer. */
const COUNTED_LATE: ReadonlySet<string> = new Set(["output-tokens"]);

/** Units that a request uses even if it does not name them. */
const ALWAYS_COUNTED = ["requests", "input-tokens", "output-tokens"] as const;

/** The units of a request that were counted when it was sent. */
type RequestCharge = {
  readonly counts: Counts;
  readonly charged: Map<string, ChargedUnits>;
  isOver: boolean;
  isRefused: boolean;
};

/** Why a request waits: for how many milliseconds, for which unit, and by which quota. */
export type ScarceUnit = { readonly wait: number; readonly unit: string; readonly limit: string };

/** The quotas of one host in such units. Instants are milliseconds of a monotonic clock. */
export class Units {
  readonly #allowances = new Map<string, Allowance>();
  /** Weak, because the body of an answer may be dropped without notice. */
  readonly #charges = new WeakMap<RequestStart, RequestCharge>();
  /** The units of requests whose answers have not ended, by name. */
  readonly #open = new Map<string, number>();
  readonly #arrivals: RecentCount;
  /** Whether any request has named its units. Until then nothing is computed. */
  #isCounted = false;
  readonly #means = new MeanUnits();

  constructor(now: number) {
    this.#arrivals = new RecentCount(now, ARRIVALS_SPAN_MS);
  }

  /** Records a new request, before it is sent. */
  arrived(now: number): void {
    if (this.#isCounted) this.#arrivals.add(now);
  }

  /** Returns the unit for which a request waits longest; undefined if it waits for none. */
  scarcest(
    now: number,
    { counts, waiting }: { readonly counts: Counts | undefined; readonly waiting: number },
  ): ScarceUnit | undefined {
    if (counts === undefined || this.#allowances.size === 0) return undefined;
    const wanted = Math.max(waiting, this.#arrivals.count(now));
    let scarce: ScarceUnit | undefined;
    for (const allowance of this.#allowances.values()) {
      const { unit, name: limit } = allowance;
      const count = countOf(counts, unit) ?? 0;
      if (count === 0) continue;
      const mean = this.#means.of(unit) ?? count;
      const wait = allowance.wait({ now, count, wanted: wanted * mean });
      if (wait > (scarce?.wait ?? 0)) scarce = { wait, unit, limit };
    }
    return scarce;
  }

  /** Records that a request is sent, and deducts its units from the quotas. */
  sent(start: RequestStart, counts: Counts | undefined): void {
    if (counts === undefined) return;
    this.#isCounted = true;
    const charged = new Map<string, ChargedUnits>();
    for (const allowance of this.#allowances.values()) {
      const count = countOf(counts, allowance.unit) ?? 0;
      this.#means.learn(allowance.unit, count);
      charged.set(allowance.name, allowance.use(start.at, count));
    }
    this.#charges.set(start, { counts, charged, isOver: false, isRefused: false });
    this.#addOpen(counts, 1);
  }

  /** Records the quotas that a response reports. */
  advised({ quotas }: Advice, start: RequestStart, heard: AnswerTimes): void {
    if (!this.#isCounted) return;
    const charge = this.#charges.get(start);
    for (const quota of quotas) {
      const known = this.#allowances.get(quota.name);
      const own = charge === undefined ? 0 : (countOf(charge.counts, quota.unit) ?? 0);
      if (known === undefined) this.#begin(quota, heard, own);
      else known.heard(quota, heard, this.#answered(quota, charge));
      // The request was sent before this quota was known.
      if (charge === undefined || charge.charged.has(quota.name)) continue;
      const allowance = this.#allowances.get(quota.name) as Allowance;
      charge.charged.set(quota.name, allowance.charged(heard.received, own));
    }
  }

  #begin(quota: Quota, heard: AnswerTimes, own: number): void {
    if (this.#allowances.size >= MOST_QUOTAS)
      this.#allowances.delete(this.#allowances.keys().next().value as string);
    const others = Math.max(0, this.#openOf(quota.unit) - own);
    this.#allowances.set(quota.name, new Allowance(quota, heard, others));
  }

  #answered({ name, unit }: Quota, charge: RequestCharge | undefined): RequestUnits {
    // For requests that were sent before the quota was known, the order is unknown.
    const isEarly = charge !== undefined && !charge.charged.has(name);
    const late = COUNTED_LATE.has(unit) ? this.#openOf(unit) : 0;
    return {
      // A refusal is answered at once, so its report describes the present.
      charged: charge?.isRefused ? undefined : charge?.charged.get(name),
      open: isEarly ? Number.POSITIVE_INFINITY : late,
    };
  }

  /** Records a refusal: the request used no units. */
  refused(start: RequestStart, now: number): void {
    this.#settle(start, now, { used: () => 0, isCertain: true });
  }

  /**
   * Records that an answer has ended. `used` is undefined if it does not report its units; then the
   * estimate stays.
   */
  over(start: RequestStart, now: number, used: Counts | undefined): void {
    this.#settle(start, now, {
      used: (unit, count) => (used && countOf(used, unit)) ?? count,
      isCertain: false,
    });
  }

  /** Returns whether a refusal is explained by what is left of a unit other than requests. */
  explains({ quotas }: Advice, start: RequestStart): boolean {
    const counts = this.#charges.get(start)?.counts;
    if (counts === undefined) return false;
    return quotas.some(
      ({ unit, remaining }) => unit !== "requests" && remaining < (countOf(counts, unit) ?? 0),
    );
  }

  /** Forgets all quotas. */
  forget(): void {
    this.#allowances.clear();
  }

  #settle(
    start: RequestStart,
    now: number,
    by: { used: (unit: string, count: number) => number; readonly isCertain: boolean },
  ): void {
    const charge = this.#charges.get(start);
    if (charge === undefined || charge.isOver) return;
    charge.isOver = true;
    charge.isRefused = by.isCertain;
    this.#addOpen(charge.counts, -1);
    for (const [name, { count }] of charge.charged) {
      const allowance = this.#allowances.get(name);
      const used = by.used(allowance?.unit ?? "", count);
      allowance?.settle(now, { count, used, isCertain: by.isCertain });
    }
  }

  #openOf(unit: string): number {
    return this.#open.get(unit) ?? 0;
  }

  /**
   * Adds the units of a request to those that are open, or subtracts them: for each unit that a
   * server may name.
   */
  #addOpen(counts: Counts, sign: 1 | -1): void {
    for (const unit of new Set([...Object.keys(counts), ...ALWAYS_COUNTED])) {
      const count = countOf(counts, unit) ?? 0;
      if (count > 0) this.#open.set(unit, Math.max(0, this.#openOf(unit) + sign * count));
    }
  }
}
