/** Between what a cap moves, and how long it measures. */
export type CapSettings = {
  /** The least that may be in flight, so that there is always something to measure. */
  readonly least: number;
  readonly most: number;
  readonly initial: number;
  /** How many times the usual latency is still no sign of a queue somewhere. */
  readonly tolerance: number;
  /** How many milliseconds are measured, at least, before anything is changed. */
  readonly window: number;
};

/** A piece of work that was served; instants in milliseconds from any beginning. */
export type CapSample = {
  readonly started: number;
  readonly ended: number;
  /** What was in flight when it ended, itself included. */
  readonly inFlight: number;
};

/** Finds out how much should be in flight, from what is served. */
export type CapEstimator = {
  /** The most that should be in flight: a whole number, 1 or more. */
  readonly cap: number;
  /** Learns from work that was served; what failed or was refused is not told. */
  learn(sample: CapSample): void;
  /** Something else than latency says that there is too much: lets less be in flight. */
  press(): void;
};

/** What is left of a cap when less is tried. */
const CUT = 0.6;
/** The same once less was as good, where latency is still far above what is usual. */
const DEEPEST_CUT = 0.3;
/** Where so much less is served with less in flight, it can't be chance. */
const SURELY = 0.85;
/** Samples that make a mean, unless there are fewer in four windows. */
const ENOUGH = 30;
const LONGEST = 4;
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
type Trial = {
  readonly cap: number;
  readonly rate: number;
  readonly isProbe: boolean;
  /** Whether less was served once: by chance, perhaps. */
  readonly isDoubtful: boolean;
};

/** What a window comes to. */
type Measured = {
  readonly rate: number;
  /** Of what started in it, in milliseconds. */
  readonly latency: number;
  readonly peak: number;
};

/**
 * The most that should be in flight, from how long work takes: more than that only queues elsewhere.
 *
 * While the cap binds and the mean latency of a window is within `tolerance` times the usual one, it
 * grows by its square root. Where latency is above that, less is tried: 0.6 of what was in flight. If
 * as much is served all the same, what was more has only queued, and the cap stays low, or is tried
 * lower. If not, there is no queue: work has become slower, that is what is usual from now on, and the
 * cap is what it was. The same is tried every so often while the cap binds, for a usual latency that
 * was learnt under load is none. Nothing is ever pinned lower to measure a minimum.
 *
 * Guards: while the cap does not bind, it stays; only work that started after a change tells how long
 * it takes; what is served is compared, not latencies, which tell of what was in flight before.
 */
export class ConcurrencyCap implements CapEstimator {
  readonly #settings: CapSettings;
  #cap: number;
  #usual: number | undefined;
  #trial: Trial | undefined;
  #wasSlow = false;
  /** Up to here the cap may grow with each sample: nothing has been tried below that. */
  #known = Number.POSITIVE_INFINITY;
  #windows = PROBE - FIRST_PROBE;
  /** Work that started before this tells nothing of the present cap; undefined until less is in flight. */
  #from: number | undefined;
  #served = 0;
  /** Those of them that started in this window, and the sum of their latencies. */
  #fresh = 0;
  #latency = 0;
  #peak = 0;
  #isBinding = false;

  constructor(settings: CapSettings) {
    this.#settings = settings;
    this.#cap = settings.initial;
  }

  /** The most that should be in flight, a whole number. */
  get cap(): number {
    return Math.floor(this.#cap);
  }

  /** Learns from work that was served. */
  learn(sample: CapSample): void {
    const { started, ended, inFlight } = sample;
    if (this.#from === undefined && inFlight - 1 <= this.cap) this.#begin(ended);
    if (this.#from === undefined) return;
    const isBinding = inFlight >= BINDING * this.cap;
    const isQuick = ended - started <= this.#limit;
    if (isBinding && isQuick && this.#cap < this.#known) this.#set(this.#cap + 1);
    this.#served++;
    this.#peak = Math.max(this.#peak, inFlight);
    this.#isBinding ||= isBinding;
    if (started < this.#from) return;
    this.#fresh++;
    this.#latency += ended - started;
    const lasted = ended - this.#from;
    const { window } = this.#settings;
    if (lasted < window || (this.#fresh < ENOUGH && lasted < LONGEST * window)) return;
    const latency = this.#latency / this.#fresh;
    this.#judge({ rate: this.#served / lasted, latency, peak: this.#peak }, ended);
  }

  /** Shrinks by a tenth: something else than latency says that there is too much. */
  press(): void {
    this.#set(this.#cap * 0.9);
  }

  get #limit(): number {
    return this.#settings.tolerance * (this.#usual ?? Number.POSITIVE_INFINITY);
  }

  #judge(seen: Measured, now: number): void {
    const isBinding = this.#isBinding;
    const trial = this.#trial;
    this.#begin(now);
    const isSlow = isBinding && seen.latency > this.#limit;
    // What was served while work was becoming slower can't be compared with anything.
    const wasSlow = this.#wasSlow;
    this.#wasSlow = isSlow;
    if (!isBinding) {
      this.#trial = undefined;
      this.#windows = 0;
      this.#adapt(seen.latency);
    } else if (trial !== undefined) this.#judgeTrial(trial, seen);
    else if (++this.#windows >= PROBE) this.#tryLess(seen, { isProbe: true });
    else if (isSlow && wasSlow) this.#tryLess(seen, { isProbe: false });
    else if (!isSlow) {
      // A queue that grows with the cap must not become usual.
      this.#adapt(Math.min(seen.latency, this.#usual ?? seen.latency));
      this.#set(this.#cap + Math.sqrt(this.#cap));
    }
  }

  #judgeTrial(trial: Trial, seen: Measured): void {
    const expected = trial.rate * Math.sqrt(this.#cap / trial.cap);
    const isSlower = seen.rate < expected;
    const { isProbe, isDoubtful } = trial;
    if (isSlower && !isDoubtful && seen.rate > SURELY * expected)
      this.#trial = { ...trial, isDoubtful: true };
    else if (isSlower || this.#cap <= this.#settings.least) {
      this.#usual = seen.latency;
      this.#endTrial(isSlower ? trial.cap : this.#cap);
    } else if (isProbe || seen.latency > this.#limit) this.#tryLess(seen, { isProbe });
    else this.#endTrial(this.#cap);
  }

  #tryLess({ peak, rate, latency }: Measured, { isProbe }: Pick<Trial, "isProbe">): void {
    const cap = Math.min(peak, this.#cap);
    const isFirst = this.#trial === undefined;
    if (isProbe) this.#windows = 0;
    this.#trial = { cap, rate, isProbe, isDoubtful: false };
    this.#set(cap * (isFirst ? CUT : Math.min(CUT, Math.max(DEEPEST_CUT, this.#limit / latency))));
    this.#known = Math.min(this.#known, this.#cap);
    this.#from = undefined;
  }

  #endTrial(cap: number): void {
    this.#trial = undefined;
    this.#known = cap;
    this.#set(cap);
  }

  #adapt(mean: number): void {
    const usual = this.#usual ?? mean;
    this.#usual = usual + (mean < usual ? FALL : RISE) * (mean - usual);
  }

  #begin(from: number): void {
    this.#from = from;
    this.#served = 0;
    this.#fresh = 0;
    this.#latency = 0;
    this.#peak = 0;
    this.#isBinding = false;
  }

  #set(cap: number): void {
    this.#cap = Math.min(this.#settings.most, Math.max(this.#settings.least, cap));
  }
}
