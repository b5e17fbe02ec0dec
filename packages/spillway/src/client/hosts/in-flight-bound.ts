/** How many requests to one host may be under way at once, by what is known of it. */
import { SECOND } from "../../limits/core/index.ts";
import type { RequestStart } from "../pace/request-starts.ts";

/** Requests that are sent to a host of which nothing is known, before it has answered: at once, and each second. */
const FIRST_CONTACT = 10;
/** Milliseconds after which one that has not been answered no more keeps another one from being sent. */
const HANGING = 10 * SECOND;

/**
 * A bound holds for what is sent from then on: what was under way before it may hang for ever, and must not keep the
 * one request from being sent that would show that all is well again.
 */
export class InFlightBound {
  #most = FIRST_CONTACT;
  /** When the first was sent, as long as nothing is known. */
  #first: number | undefined;
  /** When the last one was sent. */
  #last = 0;
  #isKnown = false;
  /** The number of the next request. */
  #next = 0;
  /** The first one that the bound counts, and how many of those before it are under way. */
  #from = 0;
  #before = 0;

  /** A request is sent. */
  sent({ order }: RequestStart, now: number): void {
    this.#first ??= now;
    this.#last = now;
    this.#next = order + 1;
  }

  /** It is under way no more. */
  over({ order }: RequestStart): void {
    if (order < this.#from) this.#before--;
  }

  /** Whether no more may be sent now, where so many are under way. */
  isFull(now: number, count: number): boolean {
    if (this.#isKnown && now >= this.#last + HANGING) return false;
    return count - this.#before >= this.#mostAt(now);
  }

  /** Milliseconds until that is more by itself; undefined where only an answer makes it more. */
  untilMore(now: number): number | undefined {
    if (this.#isKnown) return Math.max(1, this.#last + HANGING - now);
    if (this.#first === undefined) return undefined;
    return SECOND - ((now - this.#first) % SECOND);
  }

  /** Whether there is no bound. */
  get isFree(): boolean {
    return this.#most === Number.POSITIVE_INFINITY;
  }

  /** It has answered: any number may be under way. */
  free(): void {
    this.#isKnown = true;
    this.#most = Number.POSITIVE_INFINITY;
    this.#before = 0;
    this.#from = 0;
  }

  /** At most so many besides those that are under way now. */
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
