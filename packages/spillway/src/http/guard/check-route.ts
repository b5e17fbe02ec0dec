/** Whether a route says what it can. */

import {
  badObject,
  badOption,
  checkFlag,
  checkFunction,
  checkOptions,
  checkWhole,
  limitNamed,
} from "../../internal/index.ts";
import { checkJitter } from "../../limiter/index.ts";
import { HOUR } from "../../limits/core/index.ts";
import {
  type ClientAddressOptions,
  checkPartitionKey,
  HEADER_FORMS,
  type HeaderForm,
} from "../headers/index.ts";
import { checkReservable } from "./kind-of-ask.ts";
import { checkSignalFor } from "./request-signal.ts";
import type { RouteLimit, RouteLimits, RouteOptions } from "./route.ts";
import type { AnyLimiter } from "./taking.ts";

const LIMIT_FIELDS = ["limit", "key", "count", "config", "reserve", "settle"] as const;

const ROUTE_FIELDS = [
  "limits",
  "skip",
  "shedder",
  "priority",
  "cohort",
  "deadline",
  "shadow",
  "whenFailed",
  "timeout",
  "wait",
  "jitter",
  "headers",
  "partitionKey",
  "trust",
  "ipv6Prefix",
  "peer",
  "onEvent",
  "warn",
] as const satisfies readonly (keyof RouteOptions<unknown> | "limits")[];

/** What adapters add of their own. */
const ADAPTER_FIELDS = ["onLimited", "throws"];

/** What helps who writes fields of a limit, and names none. */
const WITHOUT_LIMIT = new Map(
  ["name", ...LIMIT_FIELDS].map((field) => [field, 'Name a limit: { limit: "logins", key }']),
);

/** @throws SpillwayError `bad-option`, `unknown-field`, `unknown-limit`, `bad-store`, `no-request-signal` */
export function checkRoute<R>(limiter: AnyLimiter, route: RouteLimits<R>): void {
  if (typeof limiter?.limitAll !== "function") {
    throw badObject("limiter", limiter, "a RateLimiter");
  }
  const isOne = (route as { limit?: unknown } | undefined)?.limit !== undefined;
  const own = isOne ? LIMIT_FIELDS : [];
  checkOptions("a route", route, [...own, ...ROUTE_FIELDS, ...ADAPTER_FIELDS], WITHOUT_LIMIT);
  const limits = limitsOf(route);
  if (isOne && route.limits !== undefined) {
    throw badOption("limit", "a name beside `limits`", "either `limit` or `limits`");
  }
  if (!Array.isArray(limits)) throw badOption("limits", limits, "an array of limits");
  for (const limit of limits) checkLimit(limiter, limit, isOne);
  checkSettings(route);
  checkSignalFor(limiter, route, limits);
}

function checkLimit<R>(limiter: AnyLimiter, one: RouteLimit<R>, isWhole: boolean): void {
  if (!isWhole) checkOptions("a limit of a route", one, LIMIT_FIELDS);
  const { limit, config, reserve = false, settle } = one;
  checkFunction("settle", settle);
  checkFlag("reserve", reserve);
  if (typeof limit !== "string" || config === undefined) {
    limitNamed(limiter.limits, limit, { hint: "Define it with the limiter, or pass `config`" });
  }
  if (reserve && typeof config !== "function") checkReservable(limiter, { limit, config });
}

function checkSettings<R>(route: RouteLimits<R>): void {
  const { shadow = false, partitionKey = false, whenFailed = "closed" } = route;
  const { timeout = 1000, wait = 5000, jitter = 0 } = route;
  checkFlag("shadow", shadow);
  if (partitionKey !== false) checkPartitionKey(partitionKey);
  checkWhole("timeout", timeout, { most: HOUR });
  checkWhole("wait", wait, { least: 0, most: HOUR });
  checkJitter(jitter);
  for (const field of ["skip", "cohort", "peer", "onEvent", "warn"] as const) {
    checkFunction(field, route[field]);
  }
  if (whenFailed !== "closed" && whenFailed !== "open") {
    throw badOption("whenFailed", whenFailed, '"closed" or "open"');
  }
  if (route.shedder !== undefined && typeof route.shedder?.admit !== "function") {
    throw badOption("shedder", route.shedder, "a shedder, such as adaptiveShedder()");
  }
  checkForms(route.headers);
}

function checkForms(headers: unknown = []): void {
  const expected = `one of ${HEADER_FORMS.map((name) => `"${name}"`).join(", ")}, or a list of them`;
  const forms: readonly unknown[] = Array.isArray(headers) ? headers : [headers];
  for (const form of forms) {
    if (!HEADER_FORMS.includes(form as HeaderForm)) throw badOption("headers", form, expected);
  }
}

/** The limits of a route. Pure. */
export function limitsOf<R>(route: RouteLimits<R>): readonly RouteLimit<R>[] {
  if (route.limits !== undefined) return route.limits;
  return route.limit === undefined ? [] : [route as RouteLimit<R>];
}

/** The forms of its headers. Pure. */
export function formsOf<R>({ headers = "draft" }: RouteOptions<R>): readonly HeaderForm[] {
  return typeof headers === "string" ? [headers] : headers;
}

/** What finds where its requests come from. Pure. */
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
