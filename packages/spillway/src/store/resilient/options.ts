import {
  checkOptions,
  MINUTE,
  type Random,
  SpillwayError,
  type Store,
  systemClock,
  systemRandom,
} from "../core/index.ts";
import { ShardedStore } from "../shards/index.ts";
import type { BreakerSettings } from "./breaker.ts";
import type { Transport } from "./call.ts";
import { Dispatcher } from "./dispatcher.ts";
import type { OnEvent } from "./events.ts";
import { Fallback } from "./fallback.ts";
import { type RefusalSettings, Refusals } from "./refusals.ts";
import { RemoteStore } from "./remote-store.ts";
import { withinOf } from "./within.ts";

/** Settings that every store across a network has. */
export type RemoteOptions = {
  /** Milliseconds after which an answer is no longer waited for: 1 to a minute; 50 unless said. */
  readonly deadline?: number;
  /** When to stop asking: after 5 failures in a row, with a probe every second, unless said. */
  readonly breaker?: Partial<BreakerSettings>;
  /**
   * How many processes share the limits: 1 to 10 000; 1 unless said. A limit whose
   * `whenUnavailable` is `"local"` counts a part of that size in each of them, rounded down to whole
   * units: one with fewer units than instances refuses.
   */
  readonly instances?: number;
  /** Repeats refusals without asking while they stand; off unless said. */
  readonly refusals?: RefusalSettings | true;
  /** Where the choice between shards comes from; the runtime's own unless said. */
  readonly random?: Random;
  /** Is told of failures, of breakers, and of answers without the store. */
  readonly onEvent?: OnEvent;
};

/** The names of those settings. */
export const REMOTE_OPTIONS = [
  "deadline",
  "breaker",
  "instances",
  "refusals",
  "random",
  "onEvent",
] as const;

/** Makes a store from what carries its calls. @throws SpillwayError `bad-option` */
export function remoteStore(transport: Transport, options: RemoteOptions): Store<"later"> {
  const { deadline = 50, breaker = {}, instances = 1, refusals, onEvent } = options;
  const { random = systemRandom } = options;
  checkNumber("deadline", deadline, MINUTE);
  checkNumber("instances", instances, 10_000);
  checkOptions("breaker", breaker, ["failures", "pause"]);
  const { failures = 5, pause = 1000 } = breaker;
  checkNumber("breaker.failures", failures, 1_000_000);
  checkNumber("breaker.pause", pause, 60 * MINUTE);
  if (onEvent !== undefined && typeof onEvent !== "function") {
    throw bad("onEvent", onEvent, "a function");
  }
  if (typeof random !== "function") throw bad("random", random, "a function");
  const settings = {
    transport,
    deadline,
    breaker: { failures, pause },
    fallback: new Fallback(instances, systemClock),
    refusals: refusalsOf(refusals),
    onEvent,
    clock: systemClock,
  };
  const store = new RemoteStore({
    carrier: new Dispatcher(settings),
    placeOf: (budget) => transport.placeOf(budget),
    refusals: settings.refusals,
    within: withinOf(transport),
  });
  return new ShardedStore(store, random);
}

function refusalsOf(settings: RefusalSettings | true | undefined): Refusals | undefined {
  if (settings === undefined) return undefined;
  if (settings !== true) checkOptions("refusals", settings, ["most", "maxAge"]);
  const { most = 10_000, maxAge = 1000 } = settings === true ? {} : settings;
  checkNumber("refusals.most", most, 1_000_000);
  checkNumber("refusals.maxAge", maxAge, 60 * MINUTE);
  return new Refusals({ most, maxAge }, systemClock);
}

function checkNumber(field: string, value: unknown, most: number): void {
  if (Number.isInteger(value) && (value as number) >= 1 && (value as number) <= most) return;
  throw bad(field, value, `a whole number from 1 to ${most}`);
}

function bad(field: string, value: unknown, expected: string): SpillwayError {
  return new SpillwayError({ code: "bad-option", field, value, expected });
}
