/**
 * Two other ways to find out how much should be in flight, to compare: as their authors give them,
 * as far as one process has what they need.
 */
import type { CapEstimator, CapSample } from "spillway/shedding";

/**
 * Vegas, as in Netflix' concurrency-limits 0.5.4: initial 20, probing every 30 × the limit samples.
 */
export class Vegas implements CapEstimator {
  #limit = 20;
  #least = Number.POSITIVE_INFINITY;
  #sinceProbe = 0;

  get cap(): number {
    return Math.floor(this.#limit);
  }

  learn({ started, ended, inFlight }: CapSample): void {
    const latency = ended - started;
    if (++this.#sinceProbe >= 30 * this.#limit) {
      this.#sinceProbe = 0;
      this.#least = latency;
      return;
    }
    this.#least = Math.min(this.#least, latency);
    if (2 * inFlight < this.#limit) return;
    const log = Math.max(1, Math.floor(Math.log10(this.#limit)));
    const queue = Math.ceil(this.#limit * (1 - this.#least / Math.max(latency, 0.001)));
    if (queue <= log) this.#set(this.#limit + 6 * log);
    else if (queue < 3 * log) this.#set(this.#limit + log);
    else if (queue > 6 * log) this.#set(this.#limit - log);
  }

  backOff(): void {
    this.#set(this.#limit - 1);
  }

  #set(limit: number): void {
    this.#limit = Math.min(1000, Math.max(1, limit));
  }
}

type Part = { readonly tenth: number; served: number; least: number };

/**
 * The most that was served in a tenth of a second, times the least latency, of the last ten seconds
 * (BBR, as kratos has it).
 */
export class ThroughputTimesLatency implements CapEstimator {
  #parts: Part[] = [];

  get cap(): number {
    if (this.#parts.length < 5) return 100;
    const most = Math.max(...this.#parts.map(({ served }) => served)) / 100;
    const least = Math.min(...this.#parts.map((part) => part.least));
    return Math.max(1, Math.ceil(most * least));
  }

  learn({ started, ended }: CapSample): void {
    const tenth = Math.floor(ended / 100);
    this.#parts = this.#parts.filter((part) => part.tenth > tenth - 100);
    const last = this.#parts.at(-1);
    const part = last?.tenth === tenth ? last : { tenth, served: 0, least: Infinity };
    if (part !== last) this.#parts.push(part);
    part.served++;
    part.least = Math.min(part.least, Math.max(ended - started, 0.001));
  }

  backOff(): void {}
}
