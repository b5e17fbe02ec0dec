/** The options of a limiter, and the types of the names and asks that its methods accept. */
import type {
  JointDecision,
  Kind,
  Limit,
  Limits,
  Random,
  Rate,
  ReservableKind,
  Store,
  Timing,
  Warn,
  WhenUnavailable,
} from "../limits/core/index.ts";
import type { OnCall } from "../stores/telemetry/index.ts";
import type { Lease } from "./lease.ts";
import type { AcquireOptions, AmountOptions, WaitOptions, WithoutReserve } from "./options.ts";

/** The options of a limiter. */
export type RateLimiterOptions<M extends Timing = Timing> = {
  /** The store that keeps states. Default: a memory store of its own. */
  readonly store?: Store<M>;
  /** The source of random numbers for jitter. Default: the runtime's. */
  readonly random?: Random;
  /** Receives warnings. Default: the console. */
  readonly warn?: Warn;
  /**
   * The answer while a shared store gives none, for limits that do not define their own. Default:
   * `"closed"`.
   *
   * `"closed"` refuses with reason `unavailable`, `"open"` admits, `"local"` counts in this
   * process.
   */
  readonly whenUnavailable?: WhenUnavailable;
  /**
   * The maximum number of calls that wait at once for leases of one key: 1 to a million. Default:
   * 1000.
   */
  readonly maxWaiting?: number;
  /**
   * Receives each command to the store and its outcome, without keys, for metrics and traces.
   *
   * Default: none, which costs nothing. See `instrumented` in `spillway/telemetry`.
   */
  readonly onCall?: OnCall;
};

/** Options with the limit itself, for calls on a limit that is not defined by name. */
export type WithConfig<O> = O & { readonly config: Limit };

/**
 * The names of limits of some kinds, and of limits whose kind is not known.
 *
 * The result is inferred once more, so that editors and errors show the names themselves.
 */
type NameOf<L extends Limits, K extends Kind> = keyof {
  [N in keyof L as Extract<L[N], { kind: K }> extends never ? never : N]: never;
} &
  string extends infer N extends string
  ? N
  : never;

/** The names of rate limits, from which units are taken. */
export type RateName<L extends Limits> = NameOf<L, Rate["kind"]>;

/** The names of concurrency limits, under which leases are acquired. */
export type LeaseName<L extends Limits> = NameOf<L, "concurrency">;

/** The names of limits whose units can be taken ahead of time. */
export type ReservableName<L extends Limits> = NameOf<L, ReservableKind>;

/** The answer to several asks, with the lease on the units of concurrency limits among them. */
export type JointAnswer<M extends Timing = Timing> = JointDecision & {
  /** The lease to release when the work is over; undefined if these asks put nothing in flight. */
  readonly lease: Lease<M> | undefined;
};

/** The options of work under a lease. */
export type RunOptions = Omit<AcquireOptions, "throws"> & Partial<WaitOptions>;

/** One of several asks that are taken together. */
export type JointAsk<L extends Limits = Limits> =
  | DefinedAsk<L>
  | ({ readonly limit: string } & WithConfig<AmountOptions>);

/** One of several asks, on a limit that is defined with the limiter. */
export type DefinedAsk<L extends Limits> =
  | ({ readonly limit: keyof L & string } & WithoutReserve<AmountOptions>)
  | ({ readonly limit: ReservableName<L> } & AmountOptions);

/** The names of the options. */
export const OPTIONS: readonly (keyof RateLimiterOptions)[] = [
  "store",
  "random",
  "warn",
  "whenUnavailable",
  "maxWaiting",
  "onCall",
];

/**
 * Options of the memory store that are often passed here by mistake, with the hint where they
 * belong.
 */
export const STORE_OPTIONS: ReadonlyMap<string, string> = new Map([
  ["clock", "The time is the store's: pass { store: memoryStore({ clock }) }"],
  ["maxKeys", "Keys are the store's: pass { store: memoryStore({ maxKeys }) }"],
]);
