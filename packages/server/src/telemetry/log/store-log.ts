import { type Clock, MINUTE, printable, systemClock, type Warn } from "spillway/core";
import type { OnEvent, StoreEvent } from "spillway/redis";
import { Rarely } from "./rarely.ts";

export type StoreLogOptions = {
  /** What messages call the store: its URL, without secrets. */
  readonly name: string;
  readonly warn: Warn;
  /** What says more than an error that came of it, such as why there is no connection. */
  readonly trouble: (error: Error) => string | undefined;
  readonly clock?: Clock;
  /** Receives each event as well. Default: nobody. */
  readonly onEvent?: OnEvent | undefined;
};

/**
 * Makes a listener that logs the health of a store: when it stops being asked, and when it answers
 * again. Failures that come alone are logged once a minute, and fallback decisions are counted.
 */
export function storeLog(options: StoreLogOptions): OnEvent {
  const log = new StoreLog(options);
  const { onEvent } = options;
  return (event) => {
    onEvent?.(event);
    log.note(event);
  };
}

class StoreLog {
  readonly #name: string;
  readonly #warn: Warn;
  readonly #trouble: (error: Error) => string | undefined;
  readonly #clock: Clock;
  /** The nodes that are not asked. */
  readonly #away = new Set<string>();
  #quietUntil = Number.NEGATIVE_INFINITY;
  #degraded = 0;
  readonly #rarely: Rarely;

  constructor({ name, warn, trouble, clock = systemClock }: StoreLogOptions) {
    this.#name = name;
    this.#warn = warn;
    this.#trouble = trouble;
    this.#clock = clock;
    this.#rarely = new Rarely({ warn, clock });
  }

  /** The store, or one of its nodes; a store without nodes calls itself by its kind. */
  #nameOf(event: StoreEvent): string {
    const node = "node" in event ? event.node : "";
    const [, rest] = /^(?:redis|postgres|sqlite|$)(.*)$/.exec(node) ?? [];
    const slot = "slot" in event ? ` slot ${event.slot},` : "";
    return `the store ${this.#name}${rest ?? `, node ${node},`}${slot}`;
  }

  note(event: StoreEvent): void {
    if (event.type === "degraded") this.#degraded++;
    else if (event.type === "failed") this.#failed(event);
    else if (event.type === "paused") this.#paused(event);
    else if (event.type === "resumed") this.#resumed(event);
    else if (isRare(event)) this.#rarely.say(event.type, describe(event, this.#nameOf(event)));
  }

  #failed(event: StoreEvent & { readonly type: "failed" }): void {
    const { node, error } = event;
    // While it is away each probe fails; that it is away has been logged.
    if (this.#away.has(node) || this.#clock() < this.#quietUntil) return;
    this.#quietUntil = this.#clock() + MINUTE;
    // What is wrong with the connection says it all, and has no secrets in it.
    this.#warn(
      `${this.#nameOf(event)} failed: ${this.#trouble(error) ?? printable(error.message)}`,
    );
  }

  #paused(event: StoreEvent & { readonly type: "paused" }): void {
    const { failures, pause } = event;
    this.#away.add(placeOf(event));
    this.#warn(
      `${this.#nameOf(event)} failed ${failures} times in a row: it is asked once in ${pause} ms, ` +
        "and limits answer without it",
    );
  }

  #resumed(event: StoreEvent & { readonly type: "resumed" }): void {
    this.#away.delete(placeOf(event));
    this.#quietUntil = Number.NEGATIVE_INFINITY;
    this.#warn(
      `${this.#nameOf(event)} answers again; ${this.#degraded} answers were given without it`,
    );
    this.#degraded = 0;
  }
}

/** A node, or one slot of it. */
function placeOf({ node, slot }: { readonly node: string; readonly slot?: number }): string {
  return slot === undefined ? node : `${node} ${slot}`;
}

type Rare = Extract<StoreEvent, { readonly type: "disagreed" | "overflowed" | "unreleased" }>;

/** What is left are units that are lent, every second. */
function isRare(event: StoreEvent): event is Rare {
  return ["disagreed", "overflowed", "unreleased"].includes(event.type);
}

function describe(event: Rare, store: string): string {
  switch (event.type) {
    case "disagreed":
      return `${store} answers what this program does not understand, and ${event.calls} calls were refused: ${printable(event.error.message)}`;
    case "overflowed":
      return `${event.calls} calls were refused: ${event.most} wait to be sent to ${store} already`;
    case "unreleased":
      return `a lease of the limit ${event.limit} could not be released in ${store}: it is in flight until its ttl is over`;
  }
}
