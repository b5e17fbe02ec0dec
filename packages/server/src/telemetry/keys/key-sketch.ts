import { MINUTE } from "spillway/core";
import { printable } from "spillway/support";
import type { DecidedCall, KeyCounts } from "../../service/index.ts";
import { mergedCounts } from "./merged-counts.ts";
import { shownKey } from "./shown-key.ts";
import { SpaceSaving } from "./space-saving.ts";

/** The number of counters. A key with more than a thousandth of all requests has one. */
const COUNTERS = 1000;
/** How long one sketch counts, in milliseconds. */
const PERIOD = MINUTE;
const LONGEST_KEY = 100;

type Generation = { readonly since: number; readonly sketch: SpaceSaving };

/** Counts the keys that are asked for most in the last one to two minutes, in bounded memory. */
export class KeySketch {
  #current: Generation | undefined;
  #previous: Generation | undefined;

  /** Counts the keys of a decided request. */
  readonly note = ({ verb, response }: DecidedCall): void => {
    if (verb === "check") return;
    const { sketch } = this.#at(response.now);
    for (const outcome of response.outcomes) {
      if (outcome === undefined || outcome.rule.limit === "unlimited") continue;
      sketch.add(outcome, !outcome.decision.ok);
    }
  };

  /** Returns the counts up to an instant, in milliseconds since 1970. */
  counts(now: number): KeyCounts {
    const current = this.#at(now);
    const both = this.#previous === undefined ? [current] : [this.#previous, current];
    return mergedCounts(both.map(({ sketch, since }) => countsOf(sketch, now - since)));
  }

  /** Returns the generation of an instant. The one before is kept for as long again. */
  #at(now: number): Generation {
    const current = this.#current;
    if (current !== undefined && now - current.since < PERIOD) return current;
    const isRecent = current !== undefined && now - current.since < 2 * PERIOD;
    this.#previous = isRecent ? current : undefined;
    this.#current = { since: now, sketch: new SpaceSaving(COUNTERS) };
    return this.#current;
  }
}

function countsOf(sketch: SpaceSaving, period: number): KeyCounts {
  const keys = sketch.keys().map(({ rule, key, count, error, marked }) => ({
    limit: rule.name,
    key,
    entries: printable(shownKey({ rule, key }), LONGEST_KEY),
    asks: count,
    error,
    refusals: marked,
  }));
  return { period, asks: sketch.total, keys, leastCount: sketch.leastCount };
}
