import type { CapSample } from "./cap-estimator.ts";
import { isOver } from "./window.ts";

/** The number of samples that is enough for a mean. */
const ENOUGH_SAMPLES = 30;

/** The result of a window. */
export type WindowMeasurement = {
  /** Pieces of work served per millisecond. */
  readonly rate: number;
  /**
   * The mean latency of work that started in the window, in milliseconds.
   *
   * If the cap binds, it is at least the time that the work in flight takes at this rate (Little's
   * law). Work that hangs has not ended yet.
   */
  readonly latency: number;
  /** The maximum work in flight. */
  readonly peak: number;
  /** Whether the cap was reached, or nearly. */
  readonly isBinding: boolean;
};

/** A sample, and whether the cap was binding. */
export type SeenSample = CapSample & { readonly isBinding: boolean };

/**
 * Measures what is served under one cap. Only work that started under it shows how long work takes.
 */
export class CapWindow {
  readonly #ms: number;
  /** When the window began; undefined until the work in flight is within the cap. */
  #from: number | undefined;
  #served = 0;
  /** The number of samples that started in this window, and the sum of their latencies. */
  #fresh = 0;
  #latency = 0;
  #peak = 0;
  #isBinding = false;

  /** @param ms The shortest length of a window, in milliseconds. */
  constructor(ms: number) {
    this.#ms = ms;
  }

  /**
   * Begins a new window. If `from` is undefined, it begins once the work in flight is within the
   * cap.
   */
  begin(from: number | undefined): void {
    this.#from = from;
    this.#served = 0;
    this.#fresh = 0;
    this.#latency = 0;
    this.#peak = 0;
    this.#isBinding = false;
  }

  /**
   * Returns whether a sample counts under a cap. The first one within the cap begins the window.
   */
  takes({ ended, inFlight }: CapSample, cap: number): boolean {
    if (this.#from === undefined && inFlight - 1 <= cap) this.begin(ended);
    return this.#from !== undefined;
  }

  /** Counts a sample. Returns the result of the window if it is over. */
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

  /** Returns the latency, in milliseconds, if all work in flight ends at the rate so far. */
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
