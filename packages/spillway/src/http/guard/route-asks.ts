/** Calls the functions of a route to find what a request takes. */

import { badOption, chain, type MaybePromise, together } from "../../internal/index.ts";
import type { Limit, Limits } from "../../limits/core/index.ts";
import { joinKey, type KeyPart } from "../headers/index.ts";
import { type BodyCarrier, badParts, blamingBodies, namesBody } from "./bodies.ts";
import { called, failure } from "./calls.ts";
import type { Client } from "./client.ts";
import type { RouteKey, RouteLimit, ValueOrOfRequest } from "./route.ts";

/** The units that a request takes from one limit. */
export type RouteAsk = {
  readonly limit: string;
  readonly key: string;
  readonly count: number;
  readonly config: Limit | undefined;
  /** Whether units that are not there yet are taken ahead of time. */
  readonly reserve: boolean;
};

/** Returns a function that finds what a request takes from one limit. */
export function askFor<R>(
  route: RouteLimit<R, Limits>,
  timeout: number,
): (request: R, client: Client) => MaybePromise<RouteAsk> {
  const { limit, count = 1, config, reserve = false } = route;
  const keyFor = keyOf(route.key, timeout);
  if (typeof count !== "function" && typeof config !== "function") {
    const ask = (key: string): RouteAsk => ({ limit, key, count, config, reserve });
    return (request, client) => chain(keyFor(request, client), ask);
  }
  const countFor = finderOf({ field: "count", timeout, value: count });
  const configFor = finderOf({ field: "config", timeout, value: config });
  return (request, client) =>
    chain(keyFor(request, client), (key) =>
      chain(countFor(request, client), (found) => {
        const count = counted(found);
        return chain(configFor(request, client), (config) => ({
          limit,
          key,
          count,
          config,
          reserve,
        }));
      }),
    );
}

/**
 * A limiter reads undefined as 1. A count that a function did not find must not cost less than it
 * should.
 */
function counted(count: number | undefined): number {
  if (count !== undefined) return count;
  throw failure("count", badOption("count", count, "a whole number"));
}

type RequestValueFinder<R, T> = (request: R, client: Client) => MaybePromise<T>;

type RouteValue<R, T> = {
  readonly field: string;
  readonly timeout: number;
  readonly value: ValueOrOfRequest<R, T>;
};

/** Returns a function that returns the value, or that calls the given function with a timeout. */
export function finderOf<R, T>({
  field,
  timeout,
  value,
}: RouteValue<R, T>): RequestValueFinder<R, T> {
  if (typeof value !== "function") return () => value;
  const own = value as RequestValueFinder<R, T>;
  const find = namesBody(own) ? blamingBodies(own) : own;
  const sought = { field, timeout };
  return (request, client) => called(sought, find, request, client);
}

function keyOf<R>(key: RouteKey<R> | undefined, timeout: number): RequestValueFinder<R, string> {
  const field = "key";
  if (key === undefined) return finderOf({ field, timeout, value: (_, { address }) => address });
  const find = partsOf(key, timeout);
  if (![key].flat().some(namesBody)) {
    return (request, client) => chain(find(request, client), (parts) => joined(parts));
  }
  return (request, client) =>
    chain(find(request, client), (parts) => joined(parts, client as Partial<BodyCarrier>));
}

type KeyParts = KeyPart | readonly KeyPart[];

function partsOf<R>(key: RouteKey<R>, timeout: number): RequestValueFinder<R, KeyParts> {
  const field = "key";
  if (!Array.isArray(key)) {
    return finderOf({ field, timeout, value: key as ValueOrOfRequest<R, KeyParts> });
  }
  const parts = key.map((value: ValueOrOfRequest<R, KeyPart>) =>
    finderOf({ field, timeout, value }),
  );
  return (request, client) => together(parts, (part) => part(request, client));
}

function joined(parts: KeyParts, client: Partial<BodyCarrier> = {}): string {
  try {
    return joinKey(Array.isArray(parts) ? parts : [parts]);
  } catch (error) {
    throw failure("key", badParts(error, client));
  }
}
