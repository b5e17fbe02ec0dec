/** Bounds how many requests to one host may be in flight at once. */
import { SECOND } from "../../limits/core/index.ts";
import type { RequestStart } from "../pace/request-starts.ts";

/**
 * The bound for a host that has not answered yet: this many requests at once, and the same number
 * more each second.
 */
const FIRST_CONTACT = 10;
/**
 * Milliseconds since the last request after which one more may be sent, although the bound is
 * reached.
 */
const HANGING = 10 * SECOND;

/**
 * A bound applies to requests that are sent after it was set. Earlier ones may hang for ever. They
 * must not prevent the one request that would show that the host has recovered.
 */
export class InFlightBound {
  #most = FIRST_CONTACT;
  /** When the first request was sent; used until the host has answered. */
  #first: number | undefined;
  /** When the last request was sent. */
  #last = 0;
  #isKnown = false;
  /** The number of the next request. */
  #next = 0;
  /**
   * The number of the first request that the bound counts; and how many earlier ones are still in
   * flight.
   */
  #from = 0;
  #before = 0;

  /** Records that a request is sent. */
  sent({ order }: RequestStart, now: number): void {
    this.#first ??= now;
    this.#last = now;
    this.#next = order + 1;
  }

  /** Records that a request is no longer in flight. */
  over({ order }: RequestStart): void {
    if (order < this.#from) this.#before--;
  }

  /** Returns whether no further request may be sent, while `count` are in flight. */
  isFull(now: number, count: number): boolean {
    if (this.#isKnown && now >= this.#last + HANGING) return false;
    return count - this.#before >= this.#mostAt(now);
  }

  /**
   * Returns the milliseconds until one more request may be sent without a response; undefined if
   * only a response allows it.
   */
  untilMore(now: number): number | undefined {
    if (this.#isKnown) return Math.max(1, this.#last + HANGING - now);
    if (this.#first === undefined) return undefined;
    return SECOND - ((now - this.#first) % SECOND);
  }

  /** Whether there is no bound. */
  get isFree(): boolean {
    return this.#most === Number.POSITIVE_INFINITY;
  }

  /** Removes the bound: the host has answered. */
  free(): void {
    this.#isKnown = true;
    this.#most = Number.POSITIVE_INFINITY;
    this.#before = 0;
    this.#from = 0;
  }

  /** Allows at most `most` new requests in flight, besides the `count` that are in flight now. */
  bound(most: number, count: number): void {
    this.#isKnown = true;
    this.#most = most;
    this.#before = count;
    this.#from = this.#next;
  }

  #mostAt(now: number): number {
    if (this.#isKnown || this.#first === undefined) return this.#most;
    return this.#most + FIRST_CONTACT * Math.floor((now - this.#first) / SECOND);
  }
}
