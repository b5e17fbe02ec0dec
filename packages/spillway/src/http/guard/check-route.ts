/** Checks the options of a route, and supplies the defaults. */

import {
  badOption,
  badPriority,
  callable,
  checkMethod,
  flag,
  given,
  isPriority,
  limitNamed,
  type OptionTable,
  readOptions,
  timeout,
  whole,
} from "../../internal/index.ts";
import { type AnyLimiter, checkJitter } from "../../limiter/index.ts";
import { HOUR } from "../../limits/core/index.ts";
import type { Shedder } from "../../shedding/index.ts";
import {
  type ClientAddressOptions,
  checkPartitionKey,
  HEADER_FORMS,
  type HeaderForm,
  type PartitionKey,
} from "../headers/index.ts";
import { checkReservable } from "./ask-kind.ts";
import { requestLimitsOf } from "./request-limits.ts";
import { checkSignalFor } from "./request-signal.ts";
import type { RouteLimit, RouteLimits, RouteOptions } from "./route.ts";

/** The fields of one limit of a route. */
const LIMIT = {
  limit: given(),
  key: given(),
  count: given(),
  config: given(),
  reserve: flag(),
  settle: callable(),
} satisfies OptionTable;

/** The fields that all limits of a route share, and those of adapters. */
const ROUTE = {
  limits: given(),
  skip: callable(),
  shedder: (value: unknown) => {
    const isLeftOut = value === undefined;
    if (isLeftOut || typeof (value as Partial<Shedder> | null)?.admit === "function") return value;
    throw badOption("shedder", value, "a shedder, such as adaptiveShedder()");
  },
  priority: (value: unknown) => {
    if (value === undefined || typeof value === "function" || isPriority(value)) return value;
    throw badPriority(value);
  },
  cohort: callable(),
  deadline: (value: unknown) => {
    const isNumber = typeof value === "number" && !Number.isNaN(value);
    if (value === undefined || typeof value === "function" || isNumber) return value;
    throw badOption("deadline", value, "milliseconds from now, or a function that returns them");
  },
  shadow: flag(),
  whenFailed: (value: unknown = "closed") => {
    if (value === "closed" || value === "open") return value;
    throw badOption("whenFailed", value, '"closed" or "open"');
  },
  timeout,
  wait: whole({ least: 0, most: HOUR, otherwise: 5000 }),
  jitter: (value: unknown = 0) => {
    checkJitter(value as number);
    return value as number;
  },
  headers: (value: unknown = "draft") => {
    const forms = (Array.isArray(value) ? value : [value]) as readonly HeaderForm[];
    const wrong = forms.findIndex((form) => !HEADER_FORMS.includes(form));
    if (wrong < 0) return forms;
    const names = HEADER_FORMS.map((name) => `"${name}"`).join(", ");
    throw badOption("headers", forms[wrong], `one of ${names}, or a list of them`);
  },
  partitionKey: (value: unknown = false) => {
    if (value !== false) checkPartitionKey(value as PartitionKey);
    return value as PartitionKey | false;
  },
  trust: given(),
  ipv6Prefix: given(),
  peer: callable(),
  onEvent: callable(),
  warn: callable(),
  onLimited: given(),
  throws: given(),
};

/** Hints for routes that have fields of a limit but name no limit. */
const WITHOUT_LIMIT = new Map(
  ["name", ...Object.keys(LIMIT)].map((field) => [field, 'Name a limit: { limit: "logins", key }']),
);

/**
 * The default timeout for a store's answer, in milliseconds.
 *
 * Stores have deadlines of their own, after which `whenUnavailable` decides. Until the first answer
 * on a connection, a check and a call may take up to a second each.
 */
const STORE_TIMEOUT = 2500;

/** The options of a route after checks, with defaults. */
export type RouteSettings = ReturnType<typeof checkedRoute>;

/**
 * Checks a route and returns its settings.
 *
 * @throws SpillwayError `bad-option`, `bad-priority`, `bad-jitter`, `unknown-field`,
 * `unknown-limit`, `bad-store`, `no-reservations`, `no-request-signal`
 */
export function checkedRoute<R>(limiter: AnyLimiter, route: RouteLimits<R>) {
  checkMethod("limiter", limiter, { method: "limitAll", expected: "a RateLimiter" });
  const isOne = (route as { limit?: unknown } | undefined)?.limit !== undefined;
  const table = isOne ? { ...LIMIT, ...ROUTE } : { limit: LIMIT.limit, ...ROUTE };
  const settings = readOptions({ of: "a route", elsewhere: WITHOUT_LIMIT }, route, table);
  const limits = limitsOf(route);
  // A forgotten limit, for example on a login, must not be no limit.
  if (!isOne && route.limits === undefined && route.shedder === undefined) throw namesNone();
  if (isOne && route.limits !== undefined) {
    throw badOption("limit", "a name beside `limits`", "either `limit` or `limits`");
  }
  const isFound = requestLimitsOf(route) !== undefined;
  if (!isFound && !Array.isArray(limits)) throw badOption("limits", limits, LISTED);
  for (const limit of limits) {
    if (!isOne) readOptions({ of: "a limit of a route" }, limit, LIMIT);
    checkLimit(limiter, limit);
  }
  checkSignalFor(limiter, route, limits);
  return { ...settings, storeTimeout: route.timeout ?? STORE_TIMEOUT };
}

const LISTED = "an array of limits, or limits that are found for each request, such as rules()";

function namesNone() {
  const hint = "For a route without limits, write `limits: []`";
  return badOption("limit", undefined, "the name of a limit, or several in `limits`", { hint });
}

function checkLimit<R>(
  limiter: AnyLimiter,
  { limit, config, reserve = false }: RouteLimit<R>,
): void {
  if (typeof limit !== "string" || config === undefined) {
    limitNamed(limiter.limits, limit, { hint: "Define it with the limiter, or pass `config`" });
  }
  if (reserve && typeof config !== "function") checkReservable(limiter, { limit, config });
}

/** Returns the limits that a route lists. Pure. */
export function limitsOf<R>(route: RouteLimits<R>): readonly RouteLimit<R>[] {
  if (requestLimitsOf(route) !== undefined) return [];
  if (route.limits !== undefined) return route.limits as readonly RouteLimit<R>[];
  return route.limit === undefined ? [] : [route as RouteLimit<R>];
}

/** Returns the options by which client addresses are found. Pure. */
export function addressOptions<R>({
  trust,
  ipv6Prefix,
  warn,
}: RouteOptions<R>): ClientAddressOptions {
  return {
    ...(warn !== undefined && { warn }),
    ...(trust !== undefined && { trust }),
    ...(ipv6Prefix !== undefined && { ipv6Prefix }),
  };
}
