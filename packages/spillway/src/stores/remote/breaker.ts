import type { Clock } from "../../limits/core/index.ts";

/** When a breaker opens, and how often it probes. */
export type BreakerSettings = {
  /** The number of consecutive failures that open it. */
  readonly failures: number;
  /** Milliseconds between two probes while it is open. */
  readonly pause: number;
};

/**
 * Stops requests to a store that does not answer, so that only a few calls of an outage wait for
 * their deadline, not every call. While it is open, one call every `pause` is sent as a probe; the
 * first success closes it.
 *
 * Requests in flight together fail together, because one slow command delays all behind it. So a
 * failure counts only if its request was sent after the last failure that counted.
 */
export class Breaker {
  readonly #settings: BreakerSettings;
  readonly #clock: Clock;
  #failures = 0;
  /** The number of failures that have counted. */
  #round = 0;
  #opened: number | undefined;
  /** The round in which it opened. */
  #openedAt = 0;

  /** @param clock Milliseconds; only differences matter. */
  constructor(settings: BreakerSettings, clock: Clock) {
    this.#settings = settings;
    this.#clock = clock;
  }

  /** Returns how many calls may be sent now: all, one as a probe, or none. */
  permits(): "all" | "probe" | "none" {
    if (this.#opened === undefined) return "all";
    return this.pauseLeft() > 0 ? "none" : "probe";
  }

  /** Returns the milliseconds until the next probe; 0 if calls may be sent. */
  pauseLeft(): number {
    if (this.#opened === undefined) return 0;
    const gone = this.#clock() - this.#opened;
    return gone < 0 ? 0 : Math.max(0, this.#settings.pause - gone);
  }

  /** Records that a probe was sent: the next one waits for the pause. */
  probing(): void {
    this.#opened = this.#clock();
  }

  /** Records a success. Returns whether the breaker was open. */
  succeeded(): boolean {
    const wasOpen = this.#opened !== undefined;
    this.#failures = 0;
    this.#opened = undefined;
    return wasOpen;
  }

  /** The round of a request that is sent now. */
  get round(): number {
    return this.#round;
  }

  /**
   * Records a failure. Returns whether it has opened the breaker.
   *
   * @param round The round in which the request was sent. Default: the present one, if nothing else
   * is in flight.
   */
  failed(round: number = this.#round): boolean {
    if (round < this.#round) return false;
    this.#round++;
    this.#failures++;
    if (this.#opened !== undefined || this.#failures < this.#settings.failures) return false;
    this.#opened = this.#clock();
    this.#openedAt = this.#round;
    return true;
  }

  /**
   * Records an answer after its deadline. If its request was sent before the breaker opened, the
   * cause of the delay is over, and a probe may be sent now. A late answer to a later request only
   * shows that the node is slow.
   */
  answeredLate(round: number): void {
    if (this.#opened !== undefined && round < this.#openedAt)
      this.#opened = Number.NEGATIVE_INFINITY;
  }
}

/**
 * The failures that had counted when a request was sent: those of its node, and those of its slot.
 */
export type Rounds = { readonly node: number; readonly slot: number };

/** Whether the whole node or one slot receives only probes. */
export type Paused = "node" | "slot";

/** A single slot can't pause its node. */
const LEAST_OF_NODE = 2;

/**
 * The breakers of one node. Consecutive failures of one slot pause only that slot. A slot that
 * moves, or has no owner, fails while its node works; clients that retry by themselves report this
 * only as a late answer. Failures of different slots, with no answer in between, pause the node.
 *
 * In a store without slots everything is in slot 0: pausing that pauses the node.
 */
export class SlotBreakers {
  /** Whether something has failed since the node, and each of its slots, was last answered. */
  hasFailed = false;
  readonly #settings: BreakerSettings;
  readonly #clock: Clock;
  readonly #node: Breaker;
  /** The breakers of slots that have failed since their last answer. */
  readonly #slots = new Map<number, Breaker>();
  /** The slot whose failure the node's breaker counted last. */
  #counted: number | undefined;

  /** @param clock Milliseconds; only differences matter. */
  constructor(settings: BreakerSettings, clock: Clock) {
    this.#settings = settings;
    this.#clock = clock;
    const failures = Math.max(LEAST_OF_NODE, settings.failures);
    this.#node = new Breaker({ ...settings, failures }, clock);
  }

  /** Returns how many calls on a slot may be sent now: all, one as a probe, or none. */
  permits(slot: number): "all" | "probe" | "none" {
    if (!this.hasFailed) return "all";
    const permitted = this.#node.permits();
    if (permitted !== "all") return permitted;
    return this.#slots.get(slot)?.permits() ?? "all";
  }

  /** Returns the milliseconds until the next probe; 0 if calls may be sent. */
  pauseLeft(slot: number): number {
    return Math.max(this.#node.pauseLeft(), this.#slots.get(slot)?.pauseLeft() ?? 0);
  }

  /** Records that a probe was sent. */
  probing(slot: number): void {
    if (this.#node.permits() === "all") this.#slots.get(slot)?.probing();
    else this.#node.probing();
  }

  /** Returns the rounds of a request that is sent now. */
  rounds(slot: number): Rounds {
    return { node: this.#node.round, slot: this.#slots.get(slot)?.round ?? 0 };
  }

  /** Records an answer. Returns what is no longer paused. */
  succeeded(slot: number): Paused | undefined {
    this.#counted = undefined;
    const wasSlotPaused = this.#slots.get(slot)?.succeeded() === true;
    this.#slots.delete(slot);
    this.hasFailed = this.#slots.size > 0;
    if (this.#node.succeeded()) return "node";
    return wasSlotPaused ? "slot" : undefined;
  }

  /**
   * Records a failure. Returns what it has paused. @param rounds Those of the request when it was
   * sent.
   */
  failed(slot: number, rounds: Rounds): Paused | undefined {
    this.hasFailed = true;
    const ofSlot = this.#slots.get(slot) ?? new Breaker(this.#settings, this.#clock);
    this.#slots.set(slot, ofSlot);
    const pausesSlot = ofSlot.failed(rounds.slot);
    if (slot !== this.#counted && rounds.node >= this.#node.round) {
      this.#counted = slot;
      if (this.#node.failed(rounds.node)) return "node";
    }
    return pausesSlot ? "slot" : undefined;
  }

  /** Records an answer after its deadline: see `Breaker`. */
  answeredLate(slot: number, rounds: Rounds): void {
    this.#node.answeredLate(rounds.node);
    this.#slots.get(slot)?.answeredLate(rounds.slot);
  }
}
