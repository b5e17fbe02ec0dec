import type { Command } from "../../limits/core/index.ts";
import type { Paused, SlotBreakers } from "./breaker.ts";
import { Definitions } from "./definitions.ts";

/** A command that somebody waits for. */
export type Pending = {
  readonly command: Command;
  /** Where its budgets are kept. */
  readonly slot: number;
  /** Whether the answer is one decision, and not a list. */
  readonly isOne: boolean;
  readonly resolve: (answer: never) => void;
  readonly reject: (error: Error) => void;
};

/** How much is sent to one node at once, and how much may wait. */
export type NodeSettings = {
  /** The most budgets that one request names. */
  readonly mostBudgets: number;
  /** The most budgets in flight, with what each request costs beside them. */
  readonly mostInFlight: number;
  /** The most commands that wait to be sent. */
  readonly mostWaiting: number;
  /** Whether the store keeps its budgets in slots, which nodes share. */
  readonly hasSlots: boolean;
};

/** What a request costs a node beside the budgets it names, counted in budgets. */
const COST_OF_REQUEST = 7;
/** Batches that were sent and are still in the queue's array, before it is made anew. */
const SENT_KEPT = 1000;

/**
 * Commands that share a request, in order: it names at most so many budgets, all of one slot, and no
 * budget under two definitions, as it would while a limit changes. A command is never divided.
 */
export class MicroBatch {
  readonly slot: number;
  readonly all: Pending[];
  readonly commands: Command[];
  /** How many budgets it names. */
  budgets: number;
  /** Made for the second command: most requests of single commands need none. */
  #definitions: Definitions | undefined;

  constructor(first: Pending) {
    this.slot = first.slot;
    this.all = [first];
    this.commands = [first.command];
    this.budgets = first.command.budgets.length;
  }

  /** Takes one more, if it fits; returns whether it did. */
  add(one: Pending, most: number): boolean {
    const { budgets } = one.command;
    if (this.budgets + budgets.length > most) return false;
    this.#definitions ??= new Definitions((this.all[0] as Pending).command.budgets);
    if (this.#definitions.contradict(budgets)) return false;
    this.#definitions.add(budgets);
    this.all.push(one);
    this.commands.push(one.command);
    this.budgets += budgets.length;
    return true;
  }
}

/**
 * One node of a store, as seen from this process: whether it answers, how much it has been sent, and
 * what waits to be sent to it.
 *
 * A node gets no more at once than it can do well within a deadline. So a burst here waits here, and
 * is not taken for a node that is slow.
 */
export class StoreNode {
  readonly name: string;
  readonly breakers: SlotBreakers;
  /** What was too much to wait, until it is answered. */
  readonly refused: Pending[] = [];
  readonly #settings: NodeSettings;
  #inFlight = 0;
  #waiting = 0;
  #queue: MicroBatch[] = [];
  /** The place in the queue of its first batch: to shift an array is slow. */
  #first = 0;
  /** The newest batch that waits, for each slot. */
  readonly #newest = new Map<number, MicroBatch>();

  constructor(name: string, breakers: SlotBreakers, settings: NodeSettings) {
    this.name = name;
    this.breakers = breakers;
    this.#settings = settings;
  }

  /** Lets a command wait to be sent, or refuses it where too many wait already. */
  add(one: Pending): void {
    const { mostBudgets, mostWaiting } = this.#settings;
    if (this.#waiting >= mostWaiting) {
      this.refused.push(one);
      return;
    }
    this.#waiting++;
    if (this.#newest.get(one.slot)?.add(one, mostBudgets)) return;
    const batch = new MicroBatch(one);
    this.#newest.set(one.slot, batch);
    this.#queue.push(batch);
  }

  /** What there is room for now, if anything waits: it is in flight from now on. */
  next(): MicroBatch | undefined {
    const batch = this.#queue[this.#first];
    if (batch === undefined) return undefined;
    const inFlight = this.#inFlight + batch.budgets + COST_OF_REQUEST;
    if (this.#inFlight > 0 && inFlight > this.#settings.mostInFlight) return undefined;
    this.#inFlight = inFlight;
    this.#first++;
    if (this.#first === this.#queue.length || this.#first > SENT_KEPT) {
      this.#queue = this.#queue.slice(this.#first);
      this.#first = 0;
    }
    this.#waiting -= batch.all.length;
    if (this.#newest.get(batch.slot) === batch) this.#newest.delete(batch.slot);
    return batch;
  }

  /** What events call the node, or one of its slots. */
  placeOf(slot: number, what: Paused): { readonly node: string; readonly slot?: number } {
    const isSlot = what === "slot" && this.#settings.hasSlots;
    return isSlot ? { node: this.name, slot } : { node: this.name };
  }

  /** A batch that did not wait is in flight as well. */
  sent({ budgets }: MicroBatch): void {
    this.#inFlight += budgets + COST_OF_REQUEST;
  }

  /** A request has been answered, or is waited for no longer. */
  ended({ budgets }: MicroBatch): void {
    this.#inFlight -= budgets + COST_OF_REQUEST;
  }

  /** All that waits, or what waits for one slot, in order: it waits no longer. */
  drain(slot?: number): readonly Pending[] {
    const queue = this.#queue.slice(this.#first);
    const isDrained = (batch: MicroBatch) => slot === undefined || batch.slot === slot;
    this.#queue = queue.filter((batch) => !isDrained(batch));
    this.#first = 0;
    const all = queue.filter(isDrained).flatMap((batch) => batch.all);
    if (slot === undefined) this.#newest.clear();
    else this.#newest.delete(slot);
    this.#waiting -= all.length;
    return all;
  }
}
