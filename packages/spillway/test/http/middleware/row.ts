/** A row of the behaviour table, and the limits that all rows share. */
import type { RouteDecision, RouteEvent } from "../../../src/http/guard/index.ts";
import type { RateLimiter } from "../../../src/limiter/index.ts";
import { MINUTE } from "../../../src/limits/core/index.ts";
import type { ManualClock } from "../../../src/testing/index.ts";
import type { AnyRequest, AnyRoute, Reply } from "./host.ts";

/** What a limit would be called by somebody who wants to break out of a header. */
export const HOSTILE = 'a"; DROP\r\nX: y=1 %é';

export const LIMITS = {
  search: { kind: "token bucket", rate: 3, period: MINUTE },
  login: { kind: "token bucket", rate: 5, period: 5 * MINUTE },
  tokens: { kind: "token bucket", rate: 100, period: MINUTE },
  daily: { kind: "fixed window", rate: 2, period: "1d", start: 0 },
  smooth: { kind: "token bucket", rate: 3, period: MINUTE, whenUnavailable: "open" },
  local: { kind: "token bucket", rate: 3, period: MINUTE, whenUnavailable: "local" },
  calm: { kind: "leaky bucket", rate: 100, period: 1000, capacity: 5 },
  paced: { kind: "token bucket", rate: 100, period: 1000, capacity: 2 },
  reports: { kind: "concurrency", capacity: 2, ttl: MINUTE },
  odd: { kind: "token bucket", rate: 3, period: 1500 },
  [HOSTILE]: { kind: "token bucket", rate: 3, period: MINUTE },
} as const;

/** The address of everybody in these tests. */
export const HERE = "127.0.0.1";

/** How a row's route reads a header of its framework's requests. */
export type Read = (request: AnyRequest, name: string) => string | undefined;

/** What a row has to work with. */
export type World = {
  readonly limiter: RateLimiter<typeof LIMITS>;
  readonly clock: ManualClock;
  /** Resolves when the client has gone, and the server knows. */
  readonly gone: Promise<void>;
  /** Lets the answers go that a slow store has kept back. */
  readonly release: () => void;
  /** What a row wants to remember. */
  readonly notes: unknown[];
};

/** A request, and what it gets. */
export type Step = {
  readonly method?: string;
  readonly headers?: { readonly [name: string]: string };
  /** A body of JSON. */
  readonly sends?: string;
  /** Closes the connection once the handler is reached, or once some of the body has come. */
  readonly leaves?: "before the answer" | "in the answer";
  /** What happens before it is sent. */
  readonly before?: (world: World) => unknown;
  /** Of headers: null for one that must not be there. Undefined for a client that has left before. */
  readonly gets?: {
    readonly status: number;
    readonly headers?: { readonly [name: string]: string | null };
    readonly body?: string;
  };
};

/** A situation, what is answered in it, and what was charged. */
export type Row = {
  readonly situation: string;
  /** Where the limiter's states live. Default: in memory, answering at once. */
  readonly store?: "later" | "away" | "slow";
  readonly route: (read: Read, world: World) => AnyRoute | readonly AnyRoute[];
  readonly reply?: (decision: RouteDecision | undefined, world: World) => Reply | Promise<Reply>;
  readonly steps: readonly Step[];
  /** What is left afterwards: of limits, under keys. */
  readonly left?: readonly (readonly [limit: keyof typeof LIMITS, key: string, units: number])[];
  readonly events?: readonly Partial<RouteEvent<AnyRequest>>[];
  /** Parts of what is warned of, each once. */
  readonly warnings?: readonly string[];
  /** What else has to hold. */
  readonly after?: (world: World) => unknown;
};
