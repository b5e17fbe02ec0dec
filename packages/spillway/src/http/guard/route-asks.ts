/** What a route asks for a request: its functions, called. */

import { badOption, chain, type Maybe, together } from "../../internal/index.ts";
import type { Limit, Limits } from "../../limits/core/index.ts";
import { joinKey, type KeyPart } from "../headers/index.ts";
import { badParts, blamingBodies, namesBody, type WithBody } from "./bodies.ts";
import { called, failure } from "./calls.ts";
import type { Client } from "./client.ts";
import type { RouteKey, RouteLimit, ValueOrOfRequest } from "./route.ts";

/** What is taken for a request under one limit. */
export type RouteAsk = {
  readonly limit: string;
  readonly key: string;
  readonly count: number;
  readonly config: Limit | undefined;
  /** Whether what is not there yet is taken ahead of time. */
  readonly reserve: boolean;
};

/** Makes a function that finds what one limit is asked for a request. */
export function askFor<R>(
  route: RouteLimit<R, Limits>,
  timeout: number,
): (request: R, client: Client) => Maybe<RouteAsk> {
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

/** For a limiter, undefined is 1: what a function has not found must not cost less than it should. */
function counted(count: number | undefined): number {
  if (count !== undefined) return count;
  throw failure("count", badOption("count", count, "a whole number"));
}

type Find<R, T> = (request: R, client: Client) => Maybe<T>;

type Value<R, T> = {
  readonly field: string;
  readonly timeout: number;
  readonly value: ValueOrOfRequest<R, T>;
};

/** Makes a function of what may be one. */
export function finderOf<R, T>({ field, timeout, value }: Value<R, T>): Find<R, T> {
  if (typeof value !== "function") return () => value;
  const own = value as Find<R, T>;
  const find = namesBody(own) ? blamingBodies(own) : own;
  const sought = { field, timeout };
  return (request, client) => called(sought, find, request, client);
}

function keyOf<R>(key: RouteKey<R> | undefined, timeout: number): Find<R, string> {
  const field = "key";
  if (key === undefined) return finderOf({ field, timeout, value: (_, { address }) => address });
  const find = partsOf(key, timeout);
  if (![key].flat().some(namesBody)) {
    return (request, client) => chain(find(request, client), (parts) => joined(parts));
  }
  return (request, client) =>
    chain(find(request, client), (parts) => joined(parts, client as Partial<WithBody>));
}

type Parts = KeyPart | readonly KeyPart[];

function partsOf<R>(key: RouteKey<R>, timeout: number): Find<R, Parts> {
  const field = "key";
  if (!Array.isArray(key)) {
    return finderOf({ field, timeout, value: key as ValueOrOfRequest<R, Parts> });
  }
  const parts = key.map((value: ValueOrOfRequest<R, KeyPart>) =>
    finderOf({ field, timeout, value }),
  );
  return (request, client) => together(parts, (part) => part(request, client));
}

function joined(parts: Parts, client: Partial<WithBody> = {}): string {
  try {
    return joinKey(Array.isArray(parts) ? parts : [parts]);
  } catch (error) {
    throw failure("key", badParts(error, client));
  }
}
