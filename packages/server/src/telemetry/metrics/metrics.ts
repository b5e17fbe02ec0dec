/** All series of a service, and the functions that feed them. */
import type { MemoryStats } from "spillway";
import { listRules, type Rules } from "../../rules/index.ts";
import type { DecidedCall } from "../../service/index.ts";
import { DecisionCounter } from "./decisions.ts";
import { DescriptorCounter } from "./descriptors.ts";
import { EventLoopDelay } from "./event-loop.ts";
import { type MeasuredRequest, Requests, type Transport } from "./requests.ts";
import { RuleLoads } from "./rule-loads.ts";
import type { Series } from "./series.ts";
import { SheddingSeries } from "./shedding.ts";
import { memorySeries, StoreCalls } from "./store-calls.ts";
import { UnmatchedCounter } from "./unmatched.ts";
import { UpstreamSeries } from "./upstream.ts";

export type MetricsOptions = {
  /** Adds series with the names of envoyproxy/ratelimit. Default: no. */
  readonly upstream?: { readonly nearRatio: number } | undefined;
};

/** All metrics of a service. */
export class Metrics {
  readonly requests = new Requests();
  readonly storeCalls = new StoreCalls();
  readonly loop = new EventLoopDelay();
  readonly shedding = new SheddingSeries();
  readonly #decisions = new DecisionCounter("spillway_decisions_total");
  readonly #checks = new DecisionCounter("spillway_checks_total");
  readonly #descriptors = new DescriptorCounter();
  readonly #unmatched = new UnmatchedCounter();
  readonly #loads = new RuleLoads();
  readonly #upstream: UpstreamSeries | undefined;
  #memory: (() => MemoryStats) | undefined;

  constructor({ upstream }: MetricsOptions = {}) {
    this.#upstream = upstream && new UpstreamSeries(upstream.nearRatio);
  }

  /**
   * Adds series about how full a memory store is. For other stores, series about their
   * availability.
   */
  ofStore(stats: (() => MemoryStats) | undefined): void {
    this.#memory = stats;
    if (stats === undefined) this.storeCalls.ofShared();
  }

  /** Records a decided request. */
  readonly decided = (decided: DecidedCall): void => {
    if (decided.verb === "check") this.#checks.note(decided);
    else {
      this.#decisions.note(decided);
      this.#descriptors.note(decided);
      this.#upstream?.note(decided);
    }
    this.#unmatched.note(decided);
  };

  /** Records a response of a transport. */
  answered(transport: Transport, answered: MeasuredRequest): void {
    this.requests.note(transport, answered);
    if (transport === "grpc") this.#upstream?.answered(answered);
  }

  /** Records that new rules were refused. */
  readonly rulesRefused = (): void => {
    this.#loads.refused();
    this.#upstream?.loaded(false);
  };

  /** Records that rules came into use. */
  readonly rulesUsed = (rules: Rules): void => {
    const names = new Set(listRules(rules).map(({ name }) => name));
    this.#loads.used(names.size);
    this.#upstream?.loaded(true);
    const isDomain = (domain: string) => rules.domains.has(domain);
    this.#unmatched.keep(isDomain);
    const isKept = (limit: string) => names.has(limit) || isGiven(limit, isDomain);
    const all = [this.#decisions, this.#checks, this.#descriptors, this.storeCalls, this.#upstream];
    for (const one of all) one?.keep(isKept);
  };

  get series(): readonly Series[] {
    const [decisions, units, degraded] = this.#decisions.series as [Series, Series, Series];
    const [checks] = this.#checks.series as [Series];
    return [
      decisions,
      units,
      degraded,
      checks,
      ...this.#descriptors.series,
      ...this.#unmatched.series,
      ...this.requests.series,
      ...this.shedding.series,
      ...this.storeCalls.series,
      ...(this.#memory === undefined ? [] : memorySeries(this.#memory)),
      ...this.#loads.series,
      ...this.loop.series,
      ...(this.#upstream?.series ?? []),
    ];
  }
}

/**
 * A limit that is given with a request has the name `domain=unit`; a rule's name contains a `/`.
 */
function isGiven(limit: string, isDomain: (domain: string) => boolean): boolean {
  const end = limit.lastIndexOf("=");
  if (limit.includes("/") || end < 0) return false;
  return isDomain(decoded(limit.slice(0, end)));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
