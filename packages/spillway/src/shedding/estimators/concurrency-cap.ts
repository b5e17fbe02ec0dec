import { checkBetween, checkWhole } from "../../internal/index.ts";
import { MINUTE } from "../../limits/core/index.ts";
import { type CapEstimator, type CapSample, MOST_CAP } from "./cap-estimator.ts";
import { CapWindow, type WindowMeasurement } from "./cap-window.ts";

/** The settings of a concurrency cap. */
export type CapSettings = {
  /** The smallest cap: 1 to a million. It ensures that there is always something to measure. */
  readonly least: number;
  /** The largest cap: from `least` to a million. */
  readonly most: number;
  /** The cap at the start: from `least` to `most`. */
  readonly initial: number;
  /** The multiple of the usual latency up to which no queue elsewhere is suspected: 1.01 to 100. */
  readonly tolerance: number;
  /**
   * How long it measures, at least, before it changes anything, in milliseconds: 10 to a minute.
   */
  readonly window: number;
};

/** The factor by which a trial cuts the cap. */
const CUT = 0.6;
/** The smallest factor of a further cut, while latency is still far above the usual one. */
const DEEPEST_CUT = 0.3;
/** The factor by which the cap is lowered when it backs off. */
const BACK_OFF = 0.9;
/**
 * If the work in flight takes at most this many milliseconds, its queue is too short for a second
 * cut.
 */
const SHORT = 300;
/**
 * The fraction of the expected throughput below which a trial has certainly served less, not by
 * chance.
 */
const SURELY = 0.85;
/** The part of the difference by which the usual latency follows a window: falling, and rising. */
const FALL = 0.5;
const RISE = 0.02;
/** The number of windows with a binding cap after which a smaller one is tried, at any latency. */
const PROBE = 40;
/** The same for the first trial, because a process may be under load from its start. */
const FIRST_PROBE = 4;
/** The part of the cap from which it counts as binding, because the work in flight varies. */
const BINDING = 0.9;

/**
 * The values measured before a smaller cap was tried: the cap, and the work served per millisecond.
 */
type CapTrial = {
  readonly cap: number;
  readonly rate: number;
  readonly isProbe: boolean;
  /** Whether less was served in one window, perhaps by chance. */
  readonly isDoubtful: boolean;
};

/**
 * Estimates from latencies how much work should be in flight. More would only queue elsewhere.
 *
 * The cap grows while it binds and latency is within `tolerance` times the usual one. It grows by
 * one with each sample until a bound is known. From that bound on, it grows by its square root with
 * each window. If latency is above tolerance for two windows in a row, a smaller cap is tried. A
 * smaller cap is also tried at regular times, because a usual latency that was learnt under load is
 * too high. That happens first after 4 windows with a binding cap, then after every 40.
 *
 * A trial cuts the cap to 0.6 of the work in flight. If as much is served as before, the rest had
 * only queued. Then the cap stays low, or is cut again if the trial was such a regular one or
 * latency is still high. A further cut has a factor of 0.3 to 0.6. If the reason is latency, the
 * cap is not cut below what is served within 300 ms. That is not a long queue, and a smaller cap
 * could be below the number of workers.
 *
 * If less is served, the latency of the trial is the usual one from then on. "Less" is less than
 * the geometric mean of what is expected with a queue and without one. The throughput of n workers
 * grows with the work in flight up to n, then no more. So if a cap of c serves the part p of the
 * earlier throughput, it is below n = c / p, which becomes the cap.
 *
 * Guards:
 *
 * - Work in flight is counted too (Little's law), so that a quick route does not hide one that
 *   hangs.
 * - While the cap does not bind, it stays the same.
 * - Only work that started after a change shows how long work takes.
 * - Throughputs are compared, not latencies, because a latency describes work that started before
 *   the change.
 * - The cap is never held low to measure a minimum.
 */
export class ConcurrencyCap implements CapEstimator {
  readonly #settings: CapSettings;
  readonly #window: CapWindow;
  #cap: number;
  /** The cap up to which it grows with each sample; `Infinity` while no bound is known. */
  #known = Number.POSITIVE_INFINITY;
  /** The mean latency without a queue elsewhere, in milliseconds; undefined at first. */
  #usual: number | undefined;
  #trial: CapTrial | undefined;
  #wasSlow = false;
  #untilProbe = FIRST_PROBE;

  /** @throws SpillwayError `bad-option` if a setting is invalid */
  constructor(settings: CapSettings) {
    const { least, most, initial, tolerance, window } = settings;
    checkWhole("most", most, { least: 1, most: MOST_CAP });
    checkWhole("least", least, { least: 1, most });
    checkWhole("initial", initial, { least, most });
    checkBetween("tolerance", tolerance, { least: 1.01, most: 100 });
    checkBetween("window", window, { least: 10, most: MINUTE });
    this.#settings = settings;
    this.#window = new CapWindow(window);
    this.#cap = initial;
  }

  /** The maximum work that should be in flight: a whole number. */
  get cap(): number {
    return Math.floor(this.#cap);
  }

  /** Learns from work that was served. */
  learn(sample: CapSample): void {
    const { started, ended, inFlight } = sample;
    if (!this.#window.takes(sample, this.cap)) return;
    const isBinding = inFlight >= BINDING * this.cap;
    // A short latency says little if other work hangs.
    const isQuick = Math.max(ended - started, this.#window.implied(sample)) <= this.#bearable;
    if (isBinding && isQuick && this.#cap < this.#known) this.#set(this.#cap + 1);
    const measured = this.#window.add({ ...sample, isBinding });
    if (measured === undefined) return;
    this.#window.begin(ended);
    this.#judge(measured);
  }

  /** Lowers the cap by a tenth, because something other than latency shows an overload. */
  backOff(): void {
    this.#set(this.#cap * BACK_OFF);
    // Neither the next samples nor the end of a trial may undo this at once.
    this.#known = Math.min(this.#known, this.#cap);
    if (this.#trial) this.#trial = { ...this.#trial, cap: this.#trial.cap * BACK_OFF };
  }

  /**
   * The latency up to which no queue is suspected, in milliseconds; `Infinity` while it is unknown.
   */
  get #bearable(): number {
    return this.#settings.tolerance * (this.#usual ?? Number.POSITIVE_INFINITY);
  }

  #judge(seen: WindowMeasurement): void {
    const wasSlow = this.#wasSlow;
    const isSlow = seen.isBinding && seen.latency > this.#bearable;
    this.#wasSlow = isSlow;
    if (!seen.isBinding) this.#rest(seen);
    else if (this.#trial !== undefined) this.#judgeTrial(this.#trial, seen);
    else if (--this.#untilProbe <= 0) this.#tryLess(seen, { isProbe: true });
    else if (!isSlow) this.#grow(seen);
    // Throughput measured while work became slower can't be compared with any other.
    else if (wasSlow) this.#tryLess(seen, { isProbe: false });
  }

  /** Learns from a window in which the cap did not bind, and ends a trial. */
  #rest({ latency }: WindowMeasurement): void {
    this.#trial = undefined;
    this.#untilProbe = PROBE;
    this.#adapt(latency);
  }

  #grow({ latency }: WindowMeasurement): void {
    // The latency of a queue that grows with the cap must not become the usual one.
    this.#adapt(Math.min(latency, this.#usual ?? latency));
    this.#set(this.#cap + Math.sqrt(this.#cap));
  }

  #tryLess(seen: WindowMeasurement, { isProbe }: Pick<CapTrial, "isProbe">): void {
    const { peak, rate, latency } = seen;
    const cap = Math.min(peak, this.#cap);
    const deeper = Math.min(CUT, Math.max(DEEPEST_CUT, this.#bearable / latency));
    const before = this.#trial;
    const floor = isProbe ? 0 : rate * SHORT;
    const next = before === undefined ? cap * CUT : Math.max(cap * deeper, floor);
    if (isProbe) this.#untilProbe = PROBE;
    if (before !== undefined && next >= cap) this.#endTrial(before, seen);
    else this.#begin({ cap, rate, isProbe, isDoubtful: false }, next);
  }

  #begin(trial: CapTrial, cap: number): void {
    this.#trial = trial;
    this.#set(cap);
    this.#known = Math.min(this.#known, this.#cap);
    this.#window.begin(undefined);
  }

  #judgeTrial(trial: CapTrial, seen: WindowMeasurement): void {
    const part = seen.rate / trial.rate;
    const asMuch = Math.sqrt(this.#cap / trial.cap);
    if (part >= asMuch) this.#goLower(trial, seen);
    else if (!trial.isDoubtful && part > SURELY * asMuch) {
      this.#trial = { ...trial, isDoubtful: true };
    } else {
      this.#usual = seen.latency;
      this.#endTrial(trial, seen);
    }
  }

  /** Tries an even smaller cap, because this one served as much, or ends the trial. */
  #goLower(trial: CapTrial, seen: WindowMeasurement): void {
    const isLeast = this.#cap <= this.#settings.least;
    if (isLeast) this.#usual = seen.latency;
    const isGoodEnough = isLeast || !(trial.isProbe || seen.latency > this.#bearable);
    if (isGoodEnough) this.#endTrial(trial, seen);
    else this.#tryLess(seen, trial);
  }

  /** Ends a trial. The cap becomes the number of workers that explains the result. */
  #endTrial({ cap, rate }: CapTrial, seen: WindowMeasurement): void {
    this.#trial = undefined;
    this.#known = Math.min(cap, this.#cap * Math.max(1, rate / seen.rate));
    this.#set(this.#known);
  }

  #adapt(latency: number): void {
    const usual = this.#usual ?? latency;
    this.#usual = usual + (latency < usual ? FALL : RISE) * (latency - usual);
  }

  #set(cap: number): void {
    this.#cap = Math.min(this.#settings.most, Math.max(this.#settings.least, cap));
  }
}
