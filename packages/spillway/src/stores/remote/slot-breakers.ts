import type { Clock } from "../../limits/core/index.ts";
import { Breaker, type BreakerSettings } from "./breaker.ts";

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
    const permitted = this.#node.permits();
    if (permitted !== "all" || this.#slots.size === 0) return permitted;
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
    const wasSlotPaused = this.#slots.size > 0 && this.#slots.get(slot)?.succeeded() === true;
    this.#slots.delete(slot);
    if (this.#node.succeeded()) return "node";
    return wasSlotPaused ? "slot" : undefined;
  }

  /** A request failed. Returns what that has paused. @param rounds As they were when it was sent. */
  failed(slot: number, rounds: Rounds): Paused | undefined {
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
