/** Reports outages of a store as lines of text, for readers of a program's output. */
import {
  abandon,
  callable,
  clock,
  given,
  type OptionsOf,
  type OptionTable,
  readOptions,
  warn,
} from "../../internal/index.ts";
import {
  type Clock,
  MINUTE,
  SECOND,
  SpillwayError,
  shownReason,
  type Warn,
  type WhenUnavailable,
} from "../../limits/core/index.ts";
import type { OnEvent, StoreEvent } from "./events.ts";
import { isRare, lateAnswers, rareEvent } from "./outage-lines.ts";

/** Options of an outage log. */
export type OutageLogOptions = {
  /** The store's name in lines, such as its URL without a password. Default: its name in events. */
  readonly name?: string;
  /** Receives the lines. Default: the console. */
  readonly warn?: Warn;
  /**
   * Returns details of a failure that its error lacks, such as why there is no connection. Default:
   * none.
   */
  readonly explain?: (error: Error) => string | undefined;
  /** The time, for tests. Default: the machine's clock. */
  readonly clock?: Clock;
};

const TABLE = {
  name: given<string | undefined>(),
  warn,
  explain: callable<(error: Error) => string | undefined>(),
  clock,
} satisfies OptionTable<OutageLogOptions>;

/** The pause of a node, or of one of its slots. */
type OngoingOutage = { readonly since: number; said: number; isSaid: boolean };

/** A failure to report, once it is known what its limits answer: they are asked right after it. */
type PendingOutageLine = { readonly line: string; readonly limits: Map<string, WhenUnavailable> };

/** The maximum number of limits named in a line. */
const MOST_LIMITS = 3;
/**
 * The maximum number of errors of one failure shown in a line, for example for several addresses of
 * a host.
 */
const MOST_ERRORS = 4;
/** How many late answers within a minute cause a report. */
const REGULAR = 3;

/**
 * Creates a listener for a store's `onEvent` that reports outages in lines of text: when the store
 * fails, and what limits answer until it recovers; when it is no longer asked, repeated once a
 * minute; and when it answers again. If answers often miss the deadline, it names the setting that
 * helps. Single failures are reported once a minute.
 *
 * A store without an `onEvent` has a log of its own, which writes to the store's `warn`.
 *
 * @throws SpillwayError `bad-option`, `bad-clock`, `unknown-field`
 * @example
 * const log = outageLog({ name: "the limits' Redis" });
 * const store = redisStore(client, { onEvent: (event) => { count(event); log(event); } });
 */
export function outageLog(options: OutageLogOptions = {}): OnEvent {
  const log = new OutageLog(readOptions({ of: "outageLog" }, options, TABLE));
  return (event) => log.note(event);
}

class OutageLog {
  readonly #name: string | undefined;
  readonly #warn: Warn;
  readonly #explain: (error: Error) => string | undefined;
  readonly #clock: Clock;
  readonly #outages = new Map<string, OngoingOutage>();
  /** When each kind of line may be written again. */
  readonly #quietUntil = new Map<string, number>();
  #failure: PendingOutageLine | undefined;
  #degraded = 0;
  #late = { since: Number.NEGATIVE_INFINITY, count: 0 };

  constructor({ name, warn, explain, clock }: OptionsOf<typeof TABLE>) {
    this.#name = name;
    this.#warn = warn;
    this.#explain = explain ?? (() => undefined);
    this.#clock = clock;
  }

  note(event: StoreEvent): void {
    const { type } = event;
    if (type === "degraded") this.#answeredWithout(event);
    else if (type === "failed") this.#failed(event);
    else if (type === "paused") this.#paused(event);
    else if (type === "resumed") this.#resumed(event);
    else if (type === "late") this.#answeredLate(event);
    else if (isRare(event) && this.#isTime(type)) this.#warn(rareEvent(event, this.#nameOf(event)));
  }

  /** Returns the name of the store, or of one of its nodes. A store without nodes uses its kind. */
  #nameOf(event: StoreEvent): string {
    const node = "node" in event ? event.node : "";
    if (this.#name === undefined) return node || "the store";
    const [, rest] = /^(?:redis|postgres|sqlite|service|$)(.*)$/.exec(node) ?? [];
    const slot = "slot" in event ? ` slot ${event.slot},` : "";
    return `${this.#name}${node === this.#name ? "" : (rest ?? `, node ${node},`)}${slot}`;
  }

  #answeredWithout({ limit, whenUnavailable }: EventOfType<"degraded">): void {
    this.#degraded++;
    const limits = this.#failure?.limits;
    if (limits !== undefined && limits.size <= MOST_LIMITS) limits.set(limit, whenUnavailable);
  }

  #failed(event: EventOfType<"failed">): void {
    const outage = this.#outages.get(placeOf(event));
    const reason = this.#explained(event.error) ?? reasonOf(event.error);
    if (outage !== undefined) this.#goesOn(event, outage, reason);
    else if (this.#isTime("failed")) this.#say(`${this.#nameOf(event)} failed: ${reason}`);
  }

  /** Returns the program's explanation of an error, if it is a text. */
  #explained(error: Error): string | undefined {
    try {
      const said: unknown = this.#explain(error);
      if (typeof said === "string") return said;
      abandon(said);
    } catch {}
    return undefined;
  }

  /** Each probe of an unavailable store fails. */
  #goesOn(event: EventOfType<"failed">, outage: OngoingOutage, reason: string): void {
    const now = this.#clock();
    if (now - outage.said < MINUTE) return;
    outage.said = now;
    outage.isSaid = true;
    const seconds = Math.round((now - outage.since) / SECOND);
    this.#say(`${this.#nameOf(event)} has not answered for ${seconds} s: ${reason}`);
  }

  #paused(event: EventOfType<"paused">): void {
    const place = placeOf(event);
    const now = this.#clock();
    // An intermittent outage is reported once a minute.
    const isSaid = this.#isTime(`paused ${place}`);
    this.#outages.set(place, { since: now, said: now, isSaid });
    if (!isSaid) return;
    this.#sayFailure();
    const { failures, pause } = event;
    this.#warn(
      `${this.#nameOf(event)} failed ${failures} times in a row: it receives one probe every ` +
        `${pause} ms, and limits decide without it`,
    );
  }

  #resumed(event: EventOfType<"resumed">): void {
    const place = placeOf(event);
    const outage = this.#outages.get(place);
    this.#outages.delete(place);
    if (!outage?.isSaid) return;
    this.#sayFailure();
    this.#warn(
      `${this.#nameOf(event)} answers again; ${this.#degraded} decisions were made without it`,
    );
    this.#degraded = 0;
  }

  #answeredLate(event: EventOfType<"late">): void {
    const now = this.#clock();
    if (now - this.#late.since >= MINUTE) this.#late = { since: now, count: 0 };
    this.#late.count++;
    if (this.#late.count < REGULAR || !this.#isTime("late")) return;
    this.#warn(lateAnswers(this.#nameOf(event), event, this.#late.count));
  }

  /**
   * Whether a sort of line was not written within the last minute. If so, it counts as written now.
   */
  #isTime(sort: string): boolean {
    const now = this.#clock();
    if (now < (this.#quietUntil.get(sort) ?? now)) return false;
    this.#quietUntil.set(sort, now + MINUTE);
    return true;
  }

  /** Writes a line with what limits answer, which follows within this turn. */
  #say(line: string): void {
    this.#sayFailure();
    const failure = { line, limits: new Map() };
    this.#failure = failure;
    Promise.resolve().then(() => {
      if (this.#failure === failure) this.#sayFailure();
    });
  }

  #sayFailure(): void {
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure !== undefined) this.#warn(`${failure.line}${meanwhile(failure.limits)}`);
  }
}

type EventOfType<Type extends StoreEvent["type"]> = Extract<StoreEvent, { readonly type: Type }>;

type NodeSlot = { readonly node: string; readonly slot?: number };

/** Identifies a node, or one of its slots. */
function placeOf({ node, slot }: NodeSlot): string {
  return slot === undefined ? node : `${node} ${slot}`;
}

/**
 * Returns the reason of a failure. A host with several addresses has an error for each, and the
 * aggregate has no message.
 */
function reasonOf(error: Error): string {
  try {
    const { errors } = error as Partial<AggregateError>;
    const all = error.message === "" && Array.isArray(errors) ? errors : [error];
    const others = all.length > MOST_ERRORS ? `, and ${all.length - MOST_ERRORS} others` : "";
    return `${all.slice(0, MOST_ERRORS).map(shownError).join(", ")}${others}`;
  } catch {
    return "an error that can't be read";
  }
}

/** Errors of this library contain no secrets, and end with a remedy. */
function shownError(error: Error): string {
  return error instanceof SpillwayError ? error.message : shownReason(error);
}

const ANSWERS: Readonly<Record<WhenUnavailable, string>> = {
  closed: "refuses every request",
  open: "admits every request",
  local: "counts in this process only",
};

function meanwhile(limits: ReadonlyMap<string, WhenUnavailable>): string {
  if (limits.size === 0) return "";
  const named = [...limits]
    .slice(0, MOST_LIMITS)
    .map(([limit, policy]) => `${limit} ${ANSWERS[policy]} (whenUnavailable: "${policy}")`);
  const others = limits.size > MOST_LIMITS ? ", and other limits follow their own" : "";
  return `. Meanwhile the limit ${named.join(", ")}${others}`;
}
