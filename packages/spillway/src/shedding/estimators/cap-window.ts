import type { CapSample } from "./cap-estimator.ts";
import { isOver } from "./window.ts";

/** Samples that make a mean. */
const ENOUGH_SAMPLES = 30;

/** What a window comes to. */
export type WindowMeasurement = {
  /** Served in a millisecond. */
  readonly rate: number;
  /**
   * The mean of what started in it, in milliseconds; where the cap binds, no less than what is in
   * flight takes at this rate (Little's law): what hangs has not ended yet.
   */
  readonly latency: number;
  /** The most that was in flight. */
  readonly peak: number;
  /** Whether the cap was reached, or nearly. */
  readonly isBinding: boolean;
};

/** A sample, and how it stands to the cap. */
export type SeenSample = CapSample & { readonly isBinding: boolean };

/** What is served under one cap: only work that started under it shows how long work takes. */
export class CapWindow {
  readonly #ms: number;
  /** Undefined until no more is in flight than the cap lets. */
  #from: number | undefined;
  #served = 0;
  /** Those of them that started in this window, and the sum of their latencies. */
  #fresh = 0;
  #latency = 0;
  #peak = 0;
  #isBinding = false;

  /** @param ms How many milliseconds are measured, at least. */
  constructor(ms: number) {
    this.#ms = ms;
  }

  /** Begins anew; undefined: when no more is in flight than the cap lets. */
  begin(from: number | undefined): void {
    this.#from = from;
    this.#served = 0;
    this.#fresh = 0;
    this.#latency = 0;
    this.#peak = 0;
    this.#isBinding = false;
  }

  /**
   * Whether a sample counts, under a cap of so much; where nothing did, the first to count begins.
   */
  takes({ ended, inFlight }: CapSample, cap: number): boolean {
    if (this.#from === undefined && inFlight - 1 <= cap) this.begin(ended);
    return this.#from !== undefined;
  }

  /** Counts a sample; returns the result of the window once that is enough. */
  add({ started, ended, inFlight, isBinding }: SeenSample): WindowMeasurement | undefined {
    const from = this.#from ?? ended;
    this.#served++;
    this.#peak = Math.max(this.#peak, inFlight);
    this.#isBinding ||= isBinding;
    if (started < from) return undefined;
    this.#fresh++;
    this.#latency += ended - started;
    const lasted = ended - from;
    const progress = { lasted, samples: this.#fresh };
    if (!isOver(progress, { ms: this.#ms, enough: ENOUGH_SAMPLES })) return undefined;
    return this.#measured({ lasted, implied: (inFlight * lasted) / this.#served });
  }

  /**
   * How long work takes, in milliseconds, if all that is in flight ends as fast as it has so far.
   */
  implied({ ended, inFlight }: CapSample): number {
    return (inFlight * (ended - (this.#from ?? ended))) / (this.#served + 1);
  }

  #measured({
    lasted,
    implied,
  }: {
    readonly lasted: number;
    readonly implied: number;
  }): WindowMeasurement {
    const mean = this.#latency / this.#fresh;
    return {
      rate: this.#served / lasted,
      latency: this.#isBinding ? Math.max(mean, implied) : mean,
      peak: this.#peak,
      isBinding: this.#isBinding,
    };
  }
}
