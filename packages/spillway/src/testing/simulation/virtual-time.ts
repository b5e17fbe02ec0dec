import { Schedule } from "../../internal/index.ts";

/** What happens at an instant of virtual time. */
export type Event = { readonly at: number; readonly call: () => void };

/** What the clock shows when a simulation starts. */
const START = Date.UTC(2026, 0, 1);

/**
 * Time that goes by from event to event, without any waiting.
 *
 * Its events are those of the world outside of the process: they happen at their instant, whatever
 * the process is busy with.
 */
export class VirtualTime {
  readonly #schedule = new Schedule();
  #now = 0;
  #isInEvent = false;

  /** Milliseconds, with fractions, since the simulation began. */
  get now(): number {
    return this.#now;
  }

  /** Whole milliseconds since 1970; a simulation begins at 2026-01-01T00:00:00Z. */
  readonly clock = (): number => START + Math.floor(this.#now);

  /** Plans an event; one that is planned for the past happens next. */
  plan({ at, call }: Event): void {
    checkInstant(at);
    this.#schedule.add({ at, item: call });
  }

  /** Goes to an instant, through all events until then, that instant's included. */
  goTo(instant: number): void {
    checkInstant(instant);
    if (this.#isInEvent)
      throw new Error("only the process makes time go by, the world outside can't");
    while (this.#schedule.next <= instant) this.#happen();
    this.#now = Math.max(this.#now, instant);
  }

  /** Goes to the next event; false where there is none. */
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

/** Compared with a NaN, nothing is before or after: one would put all events out of order. */
function checkInstant(instant: number): void {
  if (Number.isNaN(instant)) throw new Error("an instant is NaN, expected milliseconds");
}
