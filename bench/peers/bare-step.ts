import type { Asker, Pace, Peer } from "./peer.ts";

/**
 * What no limiter can do without: a map, two numbers a key, the clock, the arithmetic of a token bucket
 * and a decision, by hand in one function. It checks nothing, forgets nothing and bounds nothing.
 */
export const bareStep: Peer = {
  name: "bare step",
  open: (pace) => new BareAsker(pace),
};

/** What a limiter answers. */
type Answer = {
  readonly ok: boolean;
  readonly limit: string;
  readonly capacity: number;
  readonly remaining: number;
  readonly retryAfter: number;
  readonly resetAfter: number;
  readonly reason: string | undefined;
  readonly degraded: true | undefined;
};

class BareAsker implements Asker {
  readonly #cells = new Map<string, number>();
  #numbers = new Float64Array(2048);
  readonly #rate: number;
  readonly #period: number;
  /** Kept, for a decision that nobody could read need not be made. */
  last: Answer | undefined;

  constructor({ rate, period }: Pace) {
    this.#rate = rate;
    this.#period = period;
  }

  ask(keys: readonly string[]): number {
    let admitted = 0;
    for (const key of keys) {
      this.last = this.#limit("ask", { key });
      if (this.last.ok) admitted++;
    }
    return admitted;
  }

  /** A unit is as many ticks as a period has milliseconds; as many come back in one as the rate has units. */
  #limit(limit: string, { key }: { readonly key: string }): Answer {
    const [rate, period] = [this.#rate, this.#period];
    const now = Date.now();
    const cell = this.#cells.get(key) ?? this.#add(key, now);
    const numbers = this.#numbers;
    const elapsed = Math.max(0, now - (numbers[cell + 1] as number));
    const used = Math.max(0, (numbers[cell] as number) - elapsed * rate);
    const ok = used + period <= rate * period;
    const after = ok ? used + period : used;
    if (ok) {
      numbers[cell] = after;
      numbers[cell + 1] = now;
    }
    return {
      ok,
      limit,
      capacity: rate,
      remaining: Math.floor((rate * period - after) / period),
      retryAfter: ok ? 0 : Math.ceil((used + period - rate * period) / rate),
      resetAfter: Math.ceil(after / rate),
      reason: ok ? undefined : "limited",
      degraded: undefined,
    };
  }

  #add(key: string, now: number): number {
    const cell = this.#cells.size * 2;
    if (cell === this.#numbers.length) {
      const more = new Float64Array(cell * 2);
      more.set(this.#numbers);
      this.#numbers = more;
    }
    this.#cells.set(key, cell);
    this.#numbers[cell + 1] = now;
    return cell;
  }

  close(): void {}
}
