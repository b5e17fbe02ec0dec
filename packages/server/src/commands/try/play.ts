import { type Rate, RateLimiter } from "spillway";
import { memoryStore } from "spillway/memory";
import { RATE_KINDS } from "spillway/support";
import { type ManualClock, manualClock } from "spillway/testing";
import type { ArrivalTimes } from "./read-traffic.ts";

/** The events within one column of the picture. */
export type Column = {
  admitted: number;
  refused: number;
  /** Units left at its end. */
  left: number;
};

export type PlayResult = {
  readonly columns: readonly Column[];
  readonly admitted: number;
  readonly refused: number;
  /** The time of the first refusal and its `retryAfter`, in milliseconds. */
  readonly firstRefusal: { readonly at: number; readonly retryAfter: number } | undefined;
  /** The longest wait of an admitted request, in milliseconds, under a leaky bucket. */
  readonly longestWait: number;
};

export type PlayInput = {
  readonly limit: Rate;
  readonly traffic: ArrivalTimes;
  /** The time that the picture shows, in milliseconds. */
  readonly span: number;
  /** The number of columns. */
  readonly width: number;
};

/**
 * Runs traffic against a limit, on a simulated clock. Pure. @throws SpillwayError for an invalid
 * limit
 */
export function play(playing: PlayInput): PlayResult {
  const clock = manualClock();
  const limiter = new RateLimiter(
    { tried: fromTheStart(playing.limit, clock()) },
    { store: memoryStore({ clock }) },
  );
  const stage = new PlayState(clock, playing);
  for (const at of playing.traffic.arrivals) {
    stage.moveTo(at, () => limiter.value("tried").remaining);
    stage.record(limiter.limit("tried"));
  }
  stage.moveTo(playing.span, () => limiter.value("tried").remaining);
  return stage.played();
}

/** Returns the limit with windows that begin at the start. */
function fromTheStart(limit: Rate, start: number): Rate {
  return RATE_KINDS[limit.kind].windows ? ({ ...limit, start } as Rate) : limit;
}

type ArrivalDecision = { readonly ok: boolean; readonly retryAfter: number };

/** The state of the simulation so far. */
class PlayState {
  readonly #clock: ManualClock;
  readonly #columnWidth: number;
  readonly #columns: Column[];
  readonly #start: number;
  #column = 0;
  #firstRefusal: PlayResult["firstRefusal"];
  #longestWait = 0;

  constructor(clock: ManualClock, { span, width }: PlayInput) {
    this.#clock = clock;
    this.#start = clock();
    this.#columnWidth = span / width;
    this.#columns = Array.from({ length: width }, () => ({ admitted: 0, refused: 0, left: 0 }));
  }

  /** Advances to an instant, and records what is left at the end of each column passed. */
  moveTo(at: number, left: () => number): void {
    const columnAt = Math.floor(at / this.#columnWidth);
    for (; this.#column < Math.min(columnAt, this.#columns.length); this.#column++) {
      this.#clock.set(this.#start + Math.ceil((this.#column + 1) * this.#columnWidth) - 1);
      this.#current.left = left();
    }
    this.#column = Math.min(this.#column, this.#columns.length - 1);
    this.#clock.set(this.#start + at);
  }

  record({ ok, retryAfter }: ArrivalDecision): void {
    this.#current[ok ? "admitted" : "refused"]++;
    if (ok) this.#longestWait = Math.max(this.#longestWait, retryAfter);
    else this.#firstRefusal ??= { at: this.#clock() - this.#start, retryAfter };
  }

  played(): PlayResult {
    const total = (of: "admitted" | "refused") =>
      this.#columns.reduce((sum, column) => sum + column[of], 0);
    return {
      columns: this.#columns,
      admitted: total("admitted"),
      refused: total("refused"),
      firstRefusal: this.#firstRefusal,
      longestWait: this.#longestWait,
    };
  }

  get #current(): Column {
    return this.#columns[this.#column] as Column;
  }
}
