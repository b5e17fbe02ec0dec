import type { Clock } from "../../limits/core/index.ts";

/** When a breaker opens, and for how long. */
export type BreakerSettings = {
  /** How many failures in a row open it. */
  readonly failures: number;
  /** Milliseconds between two probes while it is open. */
  readonly pause: number;
};

/**
 * Stops asking what does not answer, so that an outage costs its deadline a few times and not on
 * every call. While it is open one call every `pause` is let through; the first that succeeds closes
 * it.
 *
 * What is under way together fails together, for one slow command holds up all behind it. So a failure
 * counts where its request was sent after the failure that counted before.
 */
export class Breaker {
  readonly #settings: BreakerSettings;
  readonly #clock: Clock;
  #failures = 0;
  /** How many failures have counted so far. */
  #round = 0;
  #opened: number | undefined;
  /** The round in which it opened. */
  #openedAt = 0;

  /** @param clock In milliseconds; only its differences matter. */
  constructor(settings: BreakerSettings, clock: Clock) {
    this.#settings = settings;
    this.#clock = clock;
  }

  /** How many calls may go now: all, one as a probe, or none. */
  permits(): "all" | "probe" | "none" {
    if (this.#opened === undefined) return "all";
    return this.pauseLeft() > 0 ? "none" : "probe";
  }

  /** Milliseconds until the next probe; 0 where calls may go. */
  pauseLeft(): number {
    if (this.#opened === undefined) return 0;
    const gone = this.#clock() - this.#opened;
    return gone < 0 ? 0 : Math.max(0, this.#settings.pause - gone);
  }

  /** A probe has set out: no other until the pause is over again. */
  probing(): void {
    this.#opened = this.#clock();
  }

  /** Returns whether it was open. */
  succeeded(): boolean {
    const wasOpen = this.#opened !== undefined;
    this.#failures = 0;
    this.#opened = undefined;
    return wasOpen;
  }

  /** What a request that is sent now belongs to. */
  get round(): number {
    return this.#round;
  }

  /**
   * A request failed. Returns whether that has opened it.
   *
   * @param round As it was when the request was sent. Default: nothing else is under way.
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
   * A request was answered after its deadline. Where it was sent before the breaker opened, what held it up
   * is over: a probe may go now. An answer to a later one only says that the node is slow.
   */
  answeredLate(round: number): void {
    if (this.#opened !== undefined && round < this.#openedAt)
      this.#opened = Number.NEGATIVE_INFINITY;
  }
}

/** What a request belongs to when it is sent: how many failures had counted, of its node and of its slot. */
export type Rounds = { readonly node: number; readonly slot: number };

/** What is asked no more, but for probes. */
export type Paused = "node" | "slot";

/** One slot alone can't pause its node. */
const LEAST_OF_NODE = 2;

/**
 * The breakers of one node. Failures in a row of one slot pause that slot alone: one that moves, or that nobody
 * serves, fails while its node is well, and a client that tries again by itself shows only that it was late.
 * Failures of different slots, none answered in between, pause the node.
 *
 * Where a store has no slots, all is in slot 0: pausing that is pausing the node.
 */
export class SlotBreakers {
  /** Whether something has failed since the node, and each of its slots, was last answered. */
  hasFailed = false;
  readonly #settings: BreakerSettings;
  readonly #clock: Clock;
  readonly #node: Breaker;
  /** Of the slots that have failed since they were last answered. */
  readonly #slots = new Map<number, Breaker>();
  /** The slot whose failure the node's breaker counted last. */
  #counted: number | undefined;

  /** @param clock In milliseconds; only its differences matter. */
  constructor(settings: BreakerSettings, clock: Clock) {
    this.#settings = settings;
    this.#clock = clock;
    const failures = Math.max(LEAST_OF_NODE, settings.failures);
    this.#node = new Breaker({ ...settings, failures }, clock);
  }

  /** How many calls on a slot may go now: all, one as a probe, or none. */
  permits(slot: number): "all" | "probe" | "none" {
    if (!this.hasFailed) return "all";
    const permitted = this.#node.permits();
    if (permitted !== "all") return permitted;
    return this.#slots.get(slot)?.permits() ?? "all";
  }

  /** Milliseconds until the next probe; 0 where calls may go. */
  pauseLeft(slot: number): number {
    return Math.max(this.#node.pauseLeft(), this.#slots.get(slot)?.pauseLeft() ?? 0);
  }

  /** A probe has set out. */
  probing(slot: number): void {
    if (this.#node.permits() === "all") this.#slots.get(slot)?.probing();
    else this.#node.probing();
  }

  /** What a request that is sent now belongs to. */
  rounds(slot: number): Rounds {
    return { node: this.#node.round, slot: this.#slots.get(slot)?.round ?? 0 };
  }

  /** A slot was answered. Returns what has ceased to be paused. */
  succeeded(slot: number): Paused | undefined {
    this.#counted = undefined;
    const wasSlotPaused = this.#slots.get(slot)?.succeeded() === true;
    this.#slots.delete(slot);
    this.hasFailed = this.#slots.size > 0;
    if (this.#node.succeeded()) return "node";
    return wasSlotPaused ? "slot" : undefined;
  }

  /** A request failed. Returns what that has paused. @param rounds As they were when it was sent. */
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

  /** A request was answered after its deadline: see `Breaker`. */
  answeredLate(slot: number, rounds: Rounds): void {
    this.#node.answeredLate(rounds.node);
    this.#slots.get(slot)?.answeredLate(rounds.slot);
  }
}
