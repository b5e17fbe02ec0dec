/** Checks the options of a client, and adds their defaults. */
import {
  badOption,
  callable,
  checkFunction,
  clock,
  flag,
  given,
  group,
  type OptionsOf,
  type OptionTable,
  PRIORITIES,
  type Priority,
  random,
  readOptions,
  scheduler,
  textFrom,
  whole,
} from "../internal/index.ts";
import { DAY, HOUR, LONGEST, SECOND } from "../limits/core/index.ts";
import type { OnClientEvent } from "./events.ts";
import { type OwnOptions, ownLimits, type TakeOwn } from "./hosts/own-limit.ts";
import type { CallOptions, LimitedFetchOptions, Repeat } from "./options.ts";
import { accountOf } from "./requests/account.ts";
import type { ClientRequest } from "./requests/request.ts";
import type { BackoffSettings } from "./retry/backoff.ts";
import { checkCount } from "./units/counts.ts";

/**
 * The options of a request, completed by those of its client. `count` is undefined if neither
 * states it.
 */
export type CallSettings = {
  readonly [N in Exclude<keyof CallOptions, "count">]-?: NonNullable<CallOptions[N]>;
} & Pick<CallOptions, "count">;

const MILLION = 1_000_000;

const CALL = {
  priority: checkedPriority,
  wait: whole({ least: 0, most: DAY, otherwise: 30_000 }),
  attempts: whole({ most: 100, otherwise: 4 }),
  repeat: checkedRepeat,
  count: checkedCount,
} satisfies OptionTable<CallOptions>;

const { priority: _, ...CALL_OF_CLIENT } = CALL;

const CLIENT = {
  ...CALL_OF_CLIENT,
  backoff: checkedBackoff,
  budget: group({
    ratio: checkedRatio,
    least: whole({ least: 0, most: 10_000, otherwise: 10 }),
  }),
  breaker: group({
    failures: whole({ most: MILLION, otherwise: 5 }),
    pause: whole({ most: HOUR, otherwise: 1000 }),
  }),
  pacing: flag(true),
  concurrency: whole({ most: MILLION, otherwise: MILLION }),
  maxWaiting: whole({ most: MILLION, otherwise: 1000 }),
  maxHold: whole({ least: SECOND, most: LONGEST, otherwise: DAY }),
  join: flag(),
  throws: flag(),
  hostOf: callable<(request: ClientRequest) => unknown>(),
  limiter: given(),
  limit: given(),
  key: given(),
  onEvent: callable<OnClientEvent>(),
  maxHosts: whole({ most: MILLION, otherwise: 1000 }),
  clock,
  random,
  scheduler,
} satisfies OptionTable<LimitedFetchOptions>;

/**
 * Options that a request may override, and options that are replaced by values derived from them.
 */
type Replaced = keyof typeof CALL | "hostOf" | "limiter" | "limit" | "key";

/** The options with defaults, after their checks. */
export type ClientSettings = Omit<OptionsOf<typeof CLIENT>, Replaced> & {
  readonly call: CallSettings;
  readonly hostOf: (request: ClientRequest) => string;
  /**
   * Returns a digest of the credentials, each of which has limits of its own; "" if credentials do
   * not matter.
   */
  readonly accountOf: (request: ClientRequest) => string;
  readonly own: TakeOwn | undefined;
};

/**
 * Checks the options of a client, and adds their defaults.
 *
 * @throws SpillwayError `bad-option`, `bad-clock`, `unknown-field`, `unknown-limit`
 */
export function checkedClientOptions(options: LimitedFetchOptions): ClientSettings {
  const read = readOptions({ of: "limitedFetch" }, options, CLIENT);
  const { wait, attempts, repeat, count, limiter, limit, key, hostOf, ...settings } = read;
  return {
    ...settings,
    call: { priority: "normal", wait, attempts, repeat, count },
    hostOf: checkedHostOf(hostOf),
    // If the caller names what has a limit of its own, it also decides whether accounts are
    // separate.
    accountOf: hostOf === undefined ? accountOf : () => "",
    own: ownLimits({ limiter, limit, key } as OwnOptions),
  };
}

/**
 * Refuses names that are not text. A promise, for example, would be a new host for each request,
 * without any limit.
 */
function checkedHostOf(hostOf?: (request: ClientRequest) => unknown): ClientSettings["hostOf"] {
  if (hostOf === undefined) return ({ origin }) => origin;
  return (request) => textFrom("hostOf", hostOf(request));
}

/** Returns the options of a request, with those of its client as defaults. @throws SpillwayError */
export function callOptions(client: CallSettings, said: unknown): CallSettings {
  if (said === undefined || said === null) return client;
  const read = readOptions({ of: "a request" }, said as object, CALL);
  const isSaid = ([field]: [string, unknown]) =>
    (said as CallOptions)[field as never] !== undefined;
  return { ...client, ...Object.fromEntries(Object.entries(read).filter(isSaid)) };
}

function checkedPriority(value: unknown = "normal"): Priority {
  if (PRIORITIES.includes(value as Priority)) return value as Priority;
  throw badOption("priority", value, `one of ${PRIORITIES.join(", ")}`);
}

function checkedRepeat(value: unknown = "idempotent", field: string): Repeat {
  const isKnown = value === "idempotent" || value === "refused";
  if (!isKnown) checkFunction(field, value, '"idempotent", "refused" or a function');
  return value as Repeat;
}

function checkedCount(value: unknown): CallOptions["count"] {
  checkCount(value as CallOptions["count"]);
  return value as CallOptions["count"];
}

function checkedBackoff(value: unknown, field: string): BackoffSettings {
  const { first, most } = group({ first: whole({ most: HOUR, otherwise: 500 }), most: given() })(
    value,
    field,
  );
  const longest = whole({ least: first, most: DAY, otherwise: Math.max(30_000, first) });
  return { first, most: longest(most, `${field}.most`) };
}

function checkedRatio(value: unknown = 0.2, field: string): number {
  if (typeof value === "number" && value >= 0 && value <= 10) return value;
  throw badOption(field, value, "a number from 0 to 10");
}
