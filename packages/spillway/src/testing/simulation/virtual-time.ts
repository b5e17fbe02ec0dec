import { Schedule } from "../../internal/index.ts";

/** An event: its instant, in milliseconds since the simulation began, and its callback. */
export type Event = { readonly at: number; readonly call: () => void };

/** The clock's value when a simulation starts, in milliseconds since 1970. */
const START = Date.UTC(2026, 0, 1);

/**
 * Virtual time, which jumps from event to event without waiting.
 *
 * Its events happen outside of the process, each at its instant, even if the process is busy then.
 */
export class VirtualTime {
  readonly #schedule = new Schedule();
  #now = 0;
  #isInEvent = false;

  /** Milliseconds, with fractions, since the simulation began. */
  get now(): number {
    return this.#now;
  }

  /** Returns whole milliseconds since 1970. A simulation begins at 2026-01-01T00:00:00Z. */
  readonly clock = (): number => START + Math.floor(this.#now);

  /** Plans an event. An event in the past happens next. */
  plan({ at, call }: Event): void {
    checkInstant(at);
    this.#schedule.add({ at, item: call });
  }

  /**
   * Advances to an instant and runs all events up to and including it. @throws Error within an
   * event
   */
  goTo(instant: number): void {
    checkInstant(instant);
    if (this.#isInEvent)
      throw new Error("only the process makes time go by, the world outside can't");
    while (this.#schedule.next <= instant) this.#happen();
    this.#now = Math.max(this.#now, instant);
  }

  /** Advances to the next event and runs it. Returns false if there is none. */
  goOn(): boolean {
    if (this.#schedule.next === Infinity) return false;
    this.#happen();
    return true;
  }

  #happen(): void {
    const at = this.#schedule.next;
    const call = this.#schedule.take();
    if (call === undefined) return;
    this.#now = Math.max(this.#now, at);
    this.#isInEvent = true;
    call();
    this.#isInEvent = false;
  }
}

/** Refuses NaN, which compares with nothing and would break the order of all events. */
function checkInstant(instant: number): void {
  if (Number.isNaN(instant)) throw new Error("an instant is NaN, expected milliseconds");
}
