/** What a limiter is made of and asked: its settings, and which names its methods take. */
import type {
  JointDecision,
  Kind,
  Limit,
  Limits,
  Mode,
  Random,
  Rate,
  ReservableKind,
  Store,
  Warn,
  WhenUnavailable,
} from "../limits/core/index.ts";
import type { OnCall } from "../stores/telemetry/index.ts";
import type { Lease } from "./lease.ts";
import type { AcquireOptions, AmountOptions, WaitOptions, WithoutReserve } from "./options.ts";

/** Settings of a limiter. */
export type RateLimiterOptions<M extends Mode = Mode> = {
  /** Where state lives. Default: a memory store of its own. */
  readonly store?: Store<M>;
  /** Where jitter comes from. */
  readonly random?: Random;
  /** Receives warnings. Default: the console. */
  readonly warn?: Warn;
  /**
   * What to answer while a shared store gives none, for limits that don't say: `"closed"` refuses
   * with reason `unavailable`, `"open"` admits, `"local"` counts in this process. Default:
   * `"closed"`.
   */
  readonly whenUnavailable?: WhenUnavailable;
  /** The most asks that wait at once for leases of one key: 1 to a million. Default: 1000. */
  readonly maxWaiting?: number;
  /**
   * Receives each command to the store and what came of it, without keys: for metrics and traces.
   * Default: nobody does, which costs nothing. See `instrumented` in `spillway/telemetry`.
   */
  readonly onCall?: OnCall;
};

/** Options with the limit they are for, where no limit of that name is defined. */
export type WithConfig<O> = O & { readonly config: Limit };

/**
 * The names of limits of some kinds, and of those whose kind is not known. Inferred once more, for
 * editors and errors then show the names themselves.
 */
type NameOf<L extends Limits, K extends Kind> = keyof {
  [N in keyof L as Extract<L[N], { kind: K }> extends never ? never : N]: never;
} &
  string extends infer N extends string
  ? N
  : never;

/** The names of limits that are rates, of which units are taken. */
export type RateName<L extends Limits> = NameOf<L, Rate["kind"]>;

/** The names of concurrency limits, of which leases are acquired. */
export type LeaseName<L extends Limits> = NameOf<L, "concurrency">;

/** The names of limits of which units can be taken ahead of time. */
export type ReservableName<L extends Limits> = NameOf<L, ReservableKind>;

/** The answer to several asks, with what holds the units of concurrency limits among them. */
export type JointAnswer<M extends Mode = Mode> = JointDecision & {
  /** To be released when the work is over; undefined where nothing is in flight by these asks. */
  readonly lease: Lease<M> | undefined;
};

/** What work under a lease may say. */
export type RunOptions = Omit<AcquireOptions, "throws"> & Partial<WaitOptions>;

/** One of several asks that are taken together. */
export type JointAsk<L extends Limits = Limits> =
  | DefinedAsk<L>
  | ({ readonly limit: string } & WithConfig<AmountOptions>);

/** One of them, on a limit that is defined with the limiter. */
export type DefinedAsk<L extends Limits> =
  | ({ readonly limit: keyof L & string } & WithoutReserve<AmountOptions>)
  | ({ readonly limit: ReservableName<L> } & AmountOptions);

/** The names of the settings. */
export const OPTIONS: readonly (keyof RateLimiterOptions)[] = [
  "store",
  "random",
  "warn",
  "whenUnavailable",
  "maxWaiting",
  "onCall",
];

/** Settings of the store that are looked for here, and where they go. */
export const STORE_OPTIONS: ReadonlyMap<string, string> = new Map([
  ["clock", "The time is the store's: pass { store: memoryStore({ clock }) }"],
  ["maxKeys", "Keys are the store's: pass { store: memoryStore({ maxKeys }) }"],
]);
