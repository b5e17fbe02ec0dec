import { checkBetween, checkWhole } from "../../internal/index.ts";
import { MINUTE } from "../../limits/core/index.ts";
import { type CapEstimator, type CapSample, MOST_CAP } from "./cap-estimator.ts";
import { CapWindow, type WindowMeasurement } from "./cap-window.ts";

/** Between what a cap moves, and how long it measures. */
export type CapSettings = {
  /**
   * The least that may be in flight, so that there is always something to measure: 1 to a million.
   */
  readonly least: number;
  /** The most: from `least` to a million. */
  readonly most: number;
  /** To begin with: from `least` to `most`. */
  readonly initial: number;
  /** How many times the usual latency is still no sign of a queue somewhere: 1.01 to 100. */
  readonly tolerance: number;
  /** How many milliseconds are measured, at least, before anything is changed: 10 to a minute. */
  readonly window: number;
};

/** What is left of a cap when less is tried. */
const CUT = 0.6;
/** The same once less was as good, where latency is still far above what is usual. */
const DEEPEST_CUT = 0.3;
/** What is left of a cap when it backs off. */
const BACK_OFF = 0.9;
/** What is in flight for no longer than this, in milliseconds, is no queue worth a second cut. */
const SHORT = 300;
/** Where so much less is served with less in flight, it can't be chance. */
const SURELY = 0.85;
/** How much of the difference the usual latency takes over from a window: falling, and rising. */
const FALL = 0.5;
const RISE = 0.02;
/** After how many windows with a binding cap less is tried, whatever the latency is. */
const PROBE = 40;
/** The same for the first time: a process may be under load from its start. */
const FIRST_PROBE = 4;
/** The part of the cap from which on it binds: what is in flight varies. */
const BINDING = 0.9;

/** What was measured before less was tried: the cap, and what was served in a millisecond. */
type CapTrial = {
  readonly cap: number;
  readonly rate: number;
  readonly isProbe: boolean;
  /** Whether less was served once: by chance, perhaps. */
  readonly isDoubtful: boolean;
};

/**
 * The most that should be in flight, from how long work takes: more only queues elsewhere.
 *
 * It grows while the cap binds and latency is within `tolerance` times the usual one: by one with
 * each sample as far as nothing is known of what is above, by its square root with each window from
 * there. Where latency is above that for two windows less is tried, and so it is after 4 windows
 * with a binding cap, and every 40 from there, for a usual latency that was learnt under load is
 * none.
 *
 * A trial is a cut to 0.6 of what was in flight. If as much is served all the same, what was more
 * has only queued: the cap stays low, or is cut again, as deep as 0.3: by a probe, or where latency
 * is still high, and then not below what is served within 300 ms, for that is no long queue, and
 * fewer could be fewer than there are workers. If less is served, that latency is what is usual
 * from now on. "Less" is less than the geometric mean of what a queue and what none would make of
 * it. What n workers serve grows with what is in flight up to n, and then no more: so a cap of c
 * that serves the part p of what was served before is below n = c / p, and that is the cap from
 * then on.
 *
 * Guards: a route that is quick does not speak for one that hangs, for what is in flight is counted
 * too (Little's law); while the cap does not bind, it stays; only work that started after a change
 * shows how long it takes; what is served is compared, not latencies, which describe what was in
 * flight before. Nothing is ever pinned lower to measure a minimum.
 */
export class ConcurrencyCap implements CapEstimator {
  readonly #settings: CapSettings;
  readonly #window: CapWindow;
  #cap: number;
  /** Up to here the cap grows with each sample: nothing is known of what is above. */
  #known = Number.POSITIVE_INFINITY;
  /** The mean latency without a queue elsewhere, in milliseconds; not known at first. */
  #usual: number | undefined;
  #trial: CapTrial | undefined;
  #wasSlow = false;
  #untilProbe = FIRST_PROBE;

  /** @throws SpillwayError `bad-option` if the keys are invalid */
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

  /** The most that should be in flight, a whole number. */
  get cap(): number {
    return Math.floor(this.#cap);
  }

  /** Learns from work that was served. */
  learn(sample: CapSample): void {
    const { started, ended, inFlight } = sample;
    if (!this.#window.takes(sample, this.cap)) return;
    const isBinding = inFlight >= BINDING * this.cap;
    // One that was quick says little where others hang.
    const isQuick = Math.max(ended - started, this.#window.implied(sample)) <= this.#bearable;
    if (isBinding && isQuick && this.#cap < this.#known) this.#set(this.#cap + 1);
    const measured = this.#window.add({ ...sample, isBinding });
    if (measured === undefined) return;
    this.#window.begin(ended);
    this.#judge(measured);
  }

  /** Shrinks by a tenth: something else than latency says that there is too much. */
  backOff(): void {
    this.#set(this.#cap * BACK_OFF);
    // Neither what comes next nor the end of a trial takes it back at once.
    this.#known = Math.min(this.#known, this.#cap);
    if (this.#trial) this.#trial = { ...this.#trial, cap: this.#trial.cap * BACK_OFF };
  }

  /** The latency up to which there is no sign of a queue. */
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
    // What was served while work was becoming slower can't be compared with anything.
    else if (wasSlow) this.#tryLess(seen, { isProbe: false });
  }

  /** There is less to do than there may be. */
  #rest({ latency }: WindowMeasurement): void {
    this.#trial = undefined;
    this.#untilProbe = PROBE;
    this.#adapt(latency);
  }

  #grow({ latency }: WindowMeasurement): void {
    // A queue that grows with the cap must not become usual.
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

  /** Less was as good: perhaps even less is. */
  #goLower(trial: CapTrial, seen: WindowMeasurement): void {
    const isLeast = this.#cap <= this.#settings.least;
    if (isLeast) this.#usual = seen.latency;
    const isGoodEnough = isLeast || !(trial.isProbe || seen.latency > this.#bearable);
    if (isGoodEnough) this.#endTrial(trial, seen);
    else this.#tryLess(seen, trial);
  }

  /** The cap becomes as many as a pool has workers in which the trial went so. */
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
