import type { Decision } from "../../../../src/limits/core/index.ts";
import type { Admission, Asking, Flight, Tally } from "./protocol.ts";
import { Waits } from "./waits.ts";

/** Counts what the callers of one asking got. */
export class Counter {
  readonly #waits = new Waits();
  readonly #tally: Tally;

  constructor(asking: Asking) {
    this.#tally = { asking, ...zeros() };
  }

  /** An ask has its answer, whatever it is, after so many milliseconds. */
  waited(ms: number): void {
    this.#tally.asked++;
    this.#waits.add(ms);
  }

  decided({ ok, reason, degraded }: Decision): void {
    const tally = degraded === true ? this.#tally.degraded : this.#tally;
    if (ok) tally.admitted++;
    else if (reason !== undefined) tally.refused[reason] = (tally.refused[reason] ?? 0) + 1;
  }

  told(): void {
    this.#tally.told++;
  }

  unanswered(): void {
    this.#tally.unanswered++;
  }

  recorded(admission: Admission): void {
    this.#tally.admissions.push(admission);
  }

  flew(flight: Flight): void {
    this.#tally.flights.push(flight);
  }

  get tally(): Tally {
    return { ...this.#tally, longest: this.#waits.longest, median: this.#waits.median };
  }
}

function zeros() {
  return {
    asked: 0,
    admitted: 0,
    told: 0,
    refused: {},
    degraded: { admitted: 0, refused: {} },
    unanswered: 0,
    longest: 0,
    median: 0,
    admissions: [],
    flights: [],
  };
}
