/** Says in rules what a row of the middleware's behaviour table says in the options of a route. */
import { memoryStore, RateLimiter } from "spillway";
import { milliseconds } from "spillway/core";
import type { Trust } from "spillway/http";
import type { Shedder } from "spillway/shedding";
import { manualClock } from "spillway/testing";
import type { AnyRoute } from "../../../../spillway/test/http/middleware/host.ts";
import { LIMITS, type Row, type World } from "../../../../spillway/test/http/middleware/row.ts";
import { away, later } from "../../../../spillway/test/limiter/later.ts";
import { createService, type Rules, type Service } from "../../../src/index.ts";
import { joined, listRules } from "../../../src/rules/index.ts";
import { rulesOf } from "../../support/rules.ts";

/** What a transport is started with for a row. */
export type RuleSite = {
  readonly service: Service;
  readonly world: World;
  readonly trust: Trust | undefined;
  readonly shedder: Shedder | undefined;
  /** Milliseconds for which clients wait. */
  readonly deadline: number | undefined;
  /** Writes the names of limits in an expected text as those of their rules. */
  readonly named: (text: string) => string;
};

type LimitName = keyof typeof LIMITS;
type Item = { readonly match?: object; readonly actions: readonly object[] };

const DOMAIN = "t";
const USED = ["search", "daily", "smooth", "odd", "reports"] as const;

/** Rows whose functions rules have other words for. */
const BY_HAND: { readonly [situation: string]: readonly Item[] } = {
  "a key of the request": [itemOf("daily", headerKey("x-user"))],
  "a request to skip": [
    itemOf("search", { remote_address: {} }, [
      {
        header_value_match: {
          descriptor_key: "limit",
          descriptor_value: "search",
          expect_match: false,
          headers: [{ name: "x-user", string_match: { exact: "admin" } }],
        },
      },
    ]),
  ],
};

/** A service whose rules are what a row's route says. The world's limiter is on its state. */
export function siteOf(row: Row, gone: Promise<void>): RuleSite {
  const clock = manualClock();
  const memory = memoryStore({ clock });
  const notes: unknown[] = [];
  const world = { clock, gone, notes, release: () => {} } as {
    -readonly [K in keyof World]: World[K];
  };
  const routes = [row.route(() => undefined, world)].flat() as readonly AnyRoute[];
  const items = BY_HAND[row.situation] ?? routes.flatMap(itemsOf);
  const rules = rulesOf(JSON.stringify(fileOf(items)));
  world.limiter = limiterOn(memory, rules);
  // Those of the library's tests are built on its sources, and the service on its build.
  const stores = { later, away, slow: later };
  const store: typeof memory =
    row.store === undefined ? memory : (stores[row.store](memory as never) as never);
  const { trust, shedder, deadline } = routes[0] ?? {};
  return {
    service: createService({ rules, clock, store }),
    world,
    trust,
    shedder,
    deadline: deadline as number | undefined,
    named: (text) => namedByRules(text, items),
  };
}

/** Rules have no items but those of the route; a route without limits has one that never matches. */
function fileOf(items: readonly Item[]): object {
  const never = { match: { path: "/never" }, actions: [{ remote_address: {} }] };
  return {
    domain: DOMAIN,
    http: items.length === 0 ? [never] : items,
    descriptors: USED.map((value) => ({
      key: "limit",
      value,
      descriptors: ["remote_address", "key"].map((key) => ({ key, rate_limit: rateLimit(value) })),
    })),
  };
}

function rateLimit(name: LimitName): object {
  const { kind, rate, period, ttl, capacity, whenUnavailable } = LIMITS[name] as {
    readonly [field: string]: string | number | undefined;
  };
  return {
    kind,
    requests_per_unit: rate,
    period: period && `${milliseconds(period)}ms`,
    capacity,
    ttl: ttl && `${ttl}ms`,
    when_unavailable: whenUnavailable,
  };
}

type AnyLimit = { readonly limit: string; readonly key?: unknown };

function itemsOf(route: AnyRoute): readonly Item[] {
  const { limit, limits, key } = route as Partial<AnyLimit> & { limits?: readonly AnyLimit[] };
  const all = limits ?? (limit === undefined ? [] : [{ limit, key }]);
  return all.map((one) =>
    itemOf(one.limit, one.key === undefined ? { remote_address: {} } : constantKey(one.key)),
  );
}

function itemOf(limit: string, key: object, named = [entry("limit", limit)]): Item {
  return { actions: [...named, key] };
}

function constantKey(key: unknown): object {
  if (typeof key !== "string")
    throw new Error("Found a key by a function: list the row as lacking");
  return entry("key", key);
}

function entry(descriptor_key: string, descriptor_value: string): object {
  return { generic_key: { descriptor_key, descriptor_value } };
}

function headerKey(header_name: string): object {
  return { request_headers: { header_name, descriptor_key: "key" } };
}

/** A limiter whose limits have the names of rules, called by the names of the table. */
function limiterOn(store: ReturnType<typeof memoryStore>, rules: Rules): World["limiter"] {
  const all = listRules(rules).map(({ name, limit }) => [name, limit]);
  const limiter = new RateLimiter(Object.fromEntries(all), { store });
  type Call = (name: string, options: { readonly key: unknown }) => unknown;
  const called = (verb: keyof typeof limiter) => (name: string, options: { key: string }) => {
    const { key } = options;
    const stored = joined([key], 1);
    return (limiter[verb] as Call).call(limiter, ruleName(name, key), { ...options, key: stored });
  };
  const verbs = ["limit", "value", "block", "acquire"] as const;
  return Object.fromEntries(verbs.map((verb) => [verb, called(verb)])) as never;
}

function ruleName(limit: string, key: string): string {
  const isAddress = /^[\d.]+$|:/.test(key);
  return `${DOMAIN}/limit=${limit}/${isAddress ? "remote_address" : "key"}`;
}

function namedByRules(text: string, items: readonly Item[]): string {
  return USED.reduce((named, limit) => {
    const item = items.find(({ actions }) => JSON.stringify(actions[0]).includes(`"${limit}"`));
    const key = JSON.stringify(item ?? {}).includes("remote_address") ? "remote_address" : "key";
    return named.replaceAll(`"${limit}"`, `"${DOMAIN}/limit=${limit}/${key}"`);
  }, text);
}
