import { type Limit, SECOND, type Warn } from "../limits/core/index.ts";

/**
 * The maximum number of warnings to give and remember, one for each field of a limit. Calls may
 * contain any number of names.
 */
const MOST_LIMITS = 1000;

/** A wait of fewer milliseconds than this is probably a mistake. */
const SHORT_WAIT = 100;

/** Periods in milliseconds that look like a common time in seconds. */
const SECONDS = new Map<number, readonly [meant: string, written: string]>([
  [60, ["a minute", "1m"]],
  [300, ["five minutes", "5m"]],
  [600, ["ten minutes", "10m"]],
  [900, ["a quarter of an hour", "15m"]],
  [1800, ["half an hour", "30m"]],
  [3600, ["an hour", "1h"]],
  [86400, ["a day", "1d"]],
  [604800, ["a week", "7d"]],
]);

/**
 * Warns, once for each field of a limit, of times in milliseconds that were probably meant in
 * seconds.
 *
 * A text such as `"60ms"` names its unit, and never causes a warning.
 */
export class TimeWarnings {
  readonly #warn: Warn;
  readonly #warned = new Set<string>();

  constructor(warn: Warn) {
    this.#warn = warn;
  }

  limit(name: string, limit: Limit): void {
    if ("ttl" in limit) this.#time(name, { field: "ttl", time: limit.ttl });
    else this.#time(name, { field: "period", time: limit.period });
  }

  length(name: string, time: unknown): void {
    this.#time(name, { field: "for", time });
  }

  wait(name: string, wait: unknown): void {
    if (typeof wait !== "number" || !(wait > 0 && wait < SHORT_WAIT)) return;
    this.#say(name, { field: "wait", time: wait, meant: inSeconds(wait) });
  }

  #time(name: string, { field, time }: { field: string; time: unknown }): void {
    if (typeof time !== "number") return;
    const meant = SECONDS.get(time) ?? (time < SECOND ? inSeconds(time) : undefined);
    if (meant !== undefined) this.#say(name, { field, time, meant });
  }

  #say(name: string, { field, time, meant: [meant, written] }: SuspectedTime): void {
    const id = `${field} ${name}`;
    if (this.#warned.has(id) || this.#warned.size >= MOST_LIMITS) return;
    this.#warned.add(id);
    this.#warn(
      `limit "${name}": ${field} is ${time} milliseconds. If you meant ${meant}, write ` +
        `"${written}"; ` +
        `if not, write "${Math.ceil(time)}ms"`,
    );
  }
}

type SuspectedTime = {
  readonly field: string;
  readonly time: number;
  readonly meant: readonly [meant: string, written: string];
};

function inSeconds(count: number): readonly [meant: string, written: string] {
  const whole = Math.ceil(count);
  return [whole === 1 ? "a second" : `${whole} seconds`, `${whole}s`];
}
