import type { Breaker } from "./breaker.ts";
import { type Carrier, Part } from "./part.ts";

/** How much is sent to one node at once, and how much may wait. */
export type NodeSettings = {
  /** The most budgets that one request names. */
  readonly mostBudgets: number;
  /** The most budgets in flight, with what each request costs beside them. */
  readonly mostInFlight: number;
  /** The most calls that wait to be sent. */
  readonly mostWaiting: number;
};

/** What a request costs a node beside the budgets it names, counted in budgets. */
const COST_OF_REQUEST = 7;
/** Parts that were sent and are still in the queue's array, before it is made anew. */
const SENT_KEPT = 1000;

/**
 * One node of a store, as seen from this process: whether it answers, how much it has been sent, and
 * what waits to be sent to it.
 *
 * A node gets no more at once than it can do well within a deadline. So a burst here waits here, and
 * is not taken for a node that is slow.
 */
export class StoreNode<C extends Carrier> {
  readonly name: string;
  readonly breaker: Breaker;
  readonly #settings: NodeSettings;
  #inFlight = 0;
  #waiting = 0;
  #queue: Part<C>[] = [];
  /** The place in the queue of its first part: to shift an array is slow. */
  #first = 0;
  /** The newest part that waits, for each place of a budget. */
  readonly #newest = new Map<number, Part<C>>();

  constructor(name: string, breaker: Breaker, settings: NodeSettings) {
    this.name = name;
    this.breaker = breaker;
    this.#settings = settings;
  }

  /** Lets a call wait to be sent; false where too many wait already. */
  add(place: number, carrier: C): boolean {
    const { mostBudgets, mostWaiting } = this.#settings;
    if (this.#waiting >= mostWaiting) return false;
    this.#waiting++;
    if (this.#newest.get(place)?.add(carrier, mostBudgets)) return true;
    const part = new Part(place, carrier);
    this.#newest.set(place, part);
    this.#queue.push(part);
    return true;
  }

  /** What is to be sent now, if anything is: it waits no longer. */
  next(): Part<C> | undefined {
    const part = this.#queue[this.#first];
    if (part === undefined || !this.#hasRoomFor(part)) return undefined;
    this.#first++;
    if (this.#first === this.#queue.length) this.#restart([]);
    else if (this.#first > SENT_KEPT) this.#restart(this.#queue.slice(this.#first));
    this.#waiting -= part.carriers.length;
    if (this.#newest.get(part.place) === part) this.#newest.delete(part.place);
    return part;
  }

  /** A request has been sent. */
  sent(part: Part<C>): void {
    this.#inFlight += costOf(part);
  }

  /** A request has been answered, or is waited for no longer. */
  ended(part: Part<C>): void {
    this.#inFlight -= costOf(part);
  }

  /** All that waits, in order: it waits no longer. */
  drain(): readonly C[] {
    const all = this.#queue.slice(this.#first).flatMap(({ carriers }) => carriers);
    this.#restart([]);
    this.#newest.clear();
    this.#waiting = 0;
    return all;
  }

  #hasRoomFor(part: Part<C>): boolean {
    return this.#inFlight === 0 || this.#inFlight + costOf(part) <= this.#settings.mostInFlight;
  }

  #restart(queue: Part<C>[]): void {
    this.#queue = queue;
    this.#first = 0;
  }
}

function costOf<C extends Carrier>({ budgets }: Part<C>): number {
  return budgets + COST_OF_REQUEST;
}
