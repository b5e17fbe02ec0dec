import type { Breaker } from "./breaker.ts";
import { MicroBatch, type Waiting } from "./micro-batch.ts";

/** How much is sent to one node at once, and how much may wait. */
export type NodeSettings = {
  /** The most budgets that one request names. */
  readonly mostBudgets: number;
  /** The most budgets in flight, with what each request costs beside them. */
  readonly mostInFlight: number;
  /** The most commands that wait to be sent. */
  readonly mostWaiting: number;
};

/** What a request costs a node beside the budgets it names, counted in budgets. */
const COST_OF_REQUEST = 7;
/** Batches that were sent and are still in the queue's array, before it is made anew. */
const SENT_KEPT = 1000;

/**
 * One node of a store, as seen from this process: whether it answers, how much it has been sent, and
 * what waits to be sent to it.
 *
 * A node gets no more at once than it can do well within a deadline. So a burst here waits here, and
 * is not taken for a node that is slow.
 */
export class StoreNode<W extends Waiting> {
  readonly name: string;
  readonly breaker: Breaker;
  readonly #settings: NodeSettings;
  #inFlight = 0;
  #waiting = 0;
  #queue: MicroBatch<W>[] = [];
  /** The place in the queue of its first batch: to shift an array is slow. */
  #first = 0;
  /** The newest batch that waits, for each slot. */
  readonly #newest = new Map<number, MicroBatch<W>>();

  constructor(name: string, breaker: Breaker, settings: NodeSettings) {
    this.name = name;
    this.breaker = breaker;
    this.#settings = settings;
  }

  /** Lets a command wait to be sent; false where too many wait already. */
  add(slot: number, one: W): boolean {
    const { mostBudgets, mostWaiting } = this.#settings;
    if (this.#waiting >= mostWaiting) return false;
    this.#waiting++;
    if (this.#newest.get(slot)?.add(one, mostBudgets)) return true;
    const batch = new MicroBatch(slot, one);
    this.#newest.set(slot, batch);
    this.#queue.push(batch);
    return true;
  }

  /** What is to be sent now, if anything is: it waits no longer. */
  next(): MicroBatch<W> | undefined {
    const batch = this.#queue[this.#first];
    if (batch === undefined || !this.#hasRoomFor(batch)) return undefined;
    this.#first++;
    if (this.#first === this.#queue.length || this.#first > SENT_KEPT) {
      this.#queue = this.#queue.slice(this.#first);
      this.#first = 0;
    }
    this.#waiting -= batch.all.length;
    if (this.#newest.get(batch.slot) === batch) this.#newest.delete(batch.slot);
    return batch;
  }

  /** A request has been sent. */
  sent({ budgets }: MicroBatch<W>): void {
    this.#inFlight += budgets + COST_OF_REQUEST;
  }

  /** A request has been answered, or is waited for no longer. */
  ended({ budgets }: MicroBatch<W>): void {
    this.#inFlight -= budgets + COST_OF_REQUEST;
  }

  /** All that waits, in order: it waits no longer. */
  drain(): readonly W[] {
    const all = this.#queue.slice(this.#first).flatMap((batch) => batch.all);
    this.#queue = [];
    this.#first = 0;
    this.#newest.clear();
    this.#waiting = 0;
    return all;
  }

  #hasRoomFor({ budgets }: MicroBatch<W>): boolean {
    const { mostInFlight } = this.#settings;
    return this.#inFlight === 0 || this.#inFlight + budgets + COST_OF_REQUEST <= mostInFlight;
  }
}
