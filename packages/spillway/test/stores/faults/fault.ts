/** What can go wrong, and what it is done to: each fault is told once, for tests and measurements. */
import type { Limits, WhenUnavailable } from "../../../src/limits/core/index.ts";
import type { Open } from "./clients/opened.ts";
import type { Asking, Phase } from "./clients/protocol.ts";

export const KEY = "everybody";
export const BUCKET = "bucket";
export const LOG = "log";

/** They never rest while a fault lasts, so that what was charged can be told from their states. */
export const LIMITS = {
  [BUCKET]: { kind: "token bucket", rate: 15, period: 1000, capacity: 2000 },
  [LOG]: { kind: "sliding log", rate: 1000, period: 3_600_000 },
} as const satisfies Limits;

/** Milliseconds: a deadline that only what never comes would miss, however busy the machine. */
export const PATIENT = 10_000;

/**
 * Each process asks for both limits, fast enough to use them up in a second: the first for both with
 * the same requests, the others for each with its own.
 */
export function askings(process: number): Asking[] {
  return [
    asking({ limit: BUCKET, inFlight: 12 }),
    asking({ limit: LOG, inFlight: 6, store: Math.min(process, 1) }),
  ];
}

type Some = Pick<Asking, "limit" | "inFlight"> & Partial<Asking>;

export function asking(one: Some): Asking {
  return {
    store: 0,
    operation: "limit",
    key: KEY,
    pause: 4,
    within: false,
    recorded: false,
    ...one,
  };
}

/** A store that faults are tried on. */
export type Subject<Client> = {
  readonly open: Open<Client>;
  /** What opens clients likewise in a process of its own. */
  readonly program: URL;
};

/** Servers, and how they are brought down and up again. */
export type Scene<Client> = {
  /** Who asks: a process each. */
  readonly clients: readonly Client[];
  /** Who keeps the books: of the servers themselves, and with every permission. */
  readonly direct: Client;
  /** Begins the fault. */
  readonly strike: () => Promise<unknown>;
  /** Is done again and again while it lasts. */
  readonly again?: () => Promise<unknown>;
  /** Ends it. */
  readonly end?: () => Promise<unknown>;
  /** Is done when all have healed, while they still ask. */
  readonly healed?: () => Promise<unknown>;
};

export type Fault<Client = unknown> = {
  readonly name: string;
  /** What may be admitted in spite of it. */
  readonly bound: "exact" | "one more capacity";
  /** When a client has seen enough of it. */
  readonly felt: (during: Phase) => boolean;
  /** Whether nothing can be asked meanwhile, so that asking has to cease. */
  readonly outage: boolean;
  /** What became of asks whose request failed: nothing, or they were charged all the same, once. */
  readonly failed: "undone" | "perhaps charged";
  readonly whenUnavailable?: WhenUnavailable;
  /** Milliseconds. Default: the store's own. */
  readonly deadline?: number;
  /** What the nth process asks. Default: the usual. */
  readonly askings?: (process: number) => readonly Asking[];
  readonly stage: (used: AsyncDisposableStack) => Promise<Scene<Client>>;
};

/** The answers that callers got without the store. */
export function degradedIn({ tallies }: Phase): number {
  return tallies.reduce((sum, { degraded, unanswered }) => {
    const refused = Object.values(degraded.refused).reduce((all, some) => all + some, 0);
    return sum + degraded.admitted + refused + unanswered;
  }, 0);
}

/** All answers. */
export function askedIn({ tallies }: Phase): number {
  return tallies.reduce((sum, { asked }) => sum + asked, 0);
}

/** A breaker has opened, and many have been answered without asking. */
export function isCutOff(during: Phase): boolean {
  return during.cutOff && degradedIn(during) >= 500;
}

/** Life went on. */
export function goesOn(during: Phase): boolean {
  return askedIn(during) - degradedIn(during) >= 300;
}
