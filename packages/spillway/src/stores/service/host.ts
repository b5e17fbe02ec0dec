/** What is used of the runtime: its `fetch`, or one in its place, and what goes with that. */
import { badOption } from "../../internal/index.ts";

/** What is needed of a `Response`. */
export type ServiceResponse = {
  readonly status: number;
  json(): Promise<unknown>;
  text(): Promise<string>;
};

/** What `fetch` is called with: a URL, and an object with a method, headers, a body and a signal. */
export type ServiceFetch = (url: never, init: never) => Promise<ServiceResponse>;

/** The same, as it is called here. */
export type Send = (url: string, init: object) => Promise<ServiceResponse>;

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

/** The runtime's `fetch`, looked up at each call: tests and tracers put another in its place. */
export function ownFetch(): Send {
  const place = globalThis as { readonly fetch?: Send };
  if (typeof place.fetch !== "function") {
    throw badOption("fetch", undefined, "a function like fetch, for this runtime has none");
  }
  return (url, init) => (place.fetch as Send)(url, init);
}

/** The parts of a URL; undefined where it is none. */
export function parsedUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
