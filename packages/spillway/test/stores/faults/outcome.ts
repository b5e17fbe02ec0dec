import { charged, most, type Span } from "./books.ts";
import type { Phase, Report, Tally } from "./clients/protocol.ts";
import { type Fault, KEY, LIMITS } from "./fault.ts";

/** What a limit's books say in the end; units. */
export type Account = {
  /** What callers were told they may have, by the store. */
  readonly admitted: number;
  /** What was charged, if the state was never lost. */
  readonly charged: number;
  /** The most that may be admitted, if the state was never lost. */
  readonly most: number;
  readonly capacity: number;
};

/** What came of a fault. */
export class Outcome {
  readonly fault: Fault;
  readonly reports: readonly Report[];
  readonly #spans: ReadonlyMap<string, Span>;

  constructor(fault: Fault, reports: readonly Report[], spans: ReadonlyMap<string, Span>) {
    this.fault = fault;
    this.reports = reports;
    this.#spans = spans;
  }

  get limits(): string[] {
    return Object.keys(LIMITS);
  }

  /** What each process counted in a phase. */
  phases(name: string): Phase[] {
    return this.reports.flatMap(({ phases }) => phases[name] ?? []);
  }

  account(limit: string): Account {
    const span = this.#spans.get(limit);
    if (span === undefined) throw new Error(`no books were kept of ${limit}`);
    const counted = this.tallies(limit).reduce((sum, { admitted }) => sum + admitted, 0);
    return {
      admitted: counted + span.to.taken,
      charged: charged(span),
      most: most(span),
      capacity: span.plan.capacity,
    };
  }

  /** Of all who asked to take from a limit, in all phases. */
  tallies(limit: string): Tally[] {
    const phases = this.reports.flatMap((report) => Object.values(report.phases));
    const all = phases.flatMap(({ tallies }) => tallies);
    return all.filter(({ asking }) => {
      return asking.limit === limit && asking.key === KEY && asking.operation === "limit";
    });
  }

  /** Calls in requests that failed: of these nobody knows whether they were carried out. */
  get unknown(): number {
    const all = this.reports.flatMap(({ phases }) => Object.values(phases));
    return all.reduce((sum, { events }) => sum + events.calls, 0);
  }

  /** Milliseconds from the fault's end until the last process had answers from the store again. */
  get healed(): number {
    return Math.max(
      ...this.phases("after").map(({ answered = Number.POSITIVE_INFINITY }) => answered),
    );
  }
}
