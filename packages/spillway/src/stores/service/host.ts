/** The part of the runtime that is used: its `fetch`, or a replacement, and related classes. */
import { badOption } from "../../internal/index.ts";

/** The used part of a `Response`. */
export type ServiceResponse = {
  readonly status: number;
  json(): Promise<unknown>;
  text(): Promise<string>;
};

/**
 * A function like `fetch`. It is called with a URL, and an object with a method, headers, a body
 * and a signal.
 */
export type ServiceFetch = (url: never, init: never) => Promise<ServiceResponse>;

/** The same function, with the types by which it is called here. */
export type SendRequest = (url: string, init: object) => Promise<ServiceResponse>;

declare class URL {
  constructor(text: string);
  readonly protocol: string;
  readonly origin: string;
  readonly pathname: string;
  readonly username: string;
  readonly password: string;
  readonly search: string;
  readonly hash: string;
}

/**
 * Returns the runtime's `fetch`. It is looked up at each call, because tests and tracers replace
 * it.
 */
export function ownFetch(): SendRequest {
  const place = globalThis as { readonly fetch?: SendRequest };
  if (typeof place.fetch !== "function") {
    throw badOption("fetch", undefined, "a function like fetch, because this runtime has none");
  }
  return (url, init) => (place.fetch as SendRequest)(url, init);
}

/** Parses a URL; undefined if it is invalid. */
export function parsedUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
