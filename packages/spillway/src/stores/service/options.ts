import {
  badObject,
  badOption,
  callable,
  given,
  type OptionsOf,
  type OptionTable,
  readOptions,
  warn,
} from "../../internal/index.ts";
import type { Warn } from "../../limits/core/index.ts";
import { SHARED_STORE_OPTIONS, type SharedStoreOptions } from "../shared/index.ts";
import { parsedUrl, type ServiceFetch } from "./host.ts";

/** A URL, as text or as an object such as `new URL(…)`. */
export type ServiceUrl = string | { readonly href: string };

/** The options of a store over a service. */
export type ServiceStoreOptions = Omit<SharedStoreOptions, "denialCache" | "random"> & {
  /**
   * The token that the service has as `SPILLWAY_STORE_TOKEN`. Default: none, for a service on this
   * machine.
   */
  readonly token?: string;
  /**
   * The prefix of the budgets: 1 to 64 characters without spaces or braces. Default: `"spillway"`.
   *
   * Stores with one prefix share their budgets. None is shared with the rules of the service.
   */
  readonly prefix?: string;
  /** Sends requests. Default: the runtime's `fetch`. */
  readonly fetch?: ServiceFetch;
  /** Receives warnings. Default: the console. */
  readonly warn?: Warn;
};

/**
 * The default deadline of a request, in milliseconds.
 *
 * It is longer than the service itself waits for its Redis, so that the service can answer for an
 * outage of Redis. It is also enough for the first request of a process, which loads `fetch` and
 * opens a connection.
 */
const DEADLINE = 250;

const { denialCache: _, random: __, ...SHARED } = SHARED_STORE_OPTIONS;

const TABLE = {
  token: checkedToken,
  prefix: checkedPrefix,
  fetch: callable<ServiceFetch>("a function like fetch"),
  warn,
  ...SHARED,
  deadline: given<number>(DEADLINE),
} satisfies OptionTable<ServiceStoreOptions>;

/** Checks the options and adds defaults. @throws SpillwayError `bad-option`, `unknown-field` */
export function checkedServiceOptions(options: ServiceStoreOptions): OptionsOf<typeof TABLE> {
  return readOptions({ of: "serviceStore" }, options, TABLE);
}

function checkedPrefix(prefix: unknown = "spillway"): string {
  if (typeof prefix === "string" && /^[^\s{}\p{Cc}\p{Cs}]{1,64}$/u.test(prefix)) return prefix;
  throw badOption("prefix", prefix, "1 to 64 characters without spaces or braces");
}

/** Checks the token, which is a secret and not shown in messages. */
function checkedToken(token: unknown): string | undefined {
  if (token === undefined) return undefined;
  if (typeof token === "string" && /^[\x21-\x7e]+$/.test(token)) return token;
  const forgotten = "Is SPILLWAY_STORE_TOKEN set here? Without a token, leave it out";
  const hint = token === "" ? forgotten : undefined;
  throw badObject("token", token, "visible ASCII characters, at least one of them", { hint });
}

/** Returns the URL to which commands are sent. @throws SpillwayError `bad-option` */
export function urlAt(base: unknown, path: string): string {
  const text =
    typeof base === "string"
      ? base
      : (base as { readonly href?: unknown } | null | undefined)?.href;
  const url = typeof text === "string" ? parsedUrl(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) throw badUrl(base);
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    throw badUrl("one with a user, a query or a fragment");
  }
  return url.origin + url.pathname.replace(/\/$/, "") + path;
}

function badUrl(value: unknown): Error {
  const expected = "the URL of a service, such as http://127.0.0.1:8080";
  return badOption("url", value, expected, { hint: "A token is passed as `token`" });
}
