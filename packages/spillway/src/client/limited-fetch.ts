import type { ClientResponse, Fetch } from "../http/advice/index.ts";
import { checkFunction } from "../internal/index.ts";
import { type Limits, RateLimitError } from "../limits/core/index.ts";
import type { CallOptions, LimitedFetchOptions } from "./options.ts";
import { attempt } from "./requests/attempts.ts";
import { endingWith } from "./requests/body-end.ts";
import { shared } from "./requests/client.ts";
import {
  type FetchInit,
  isOwnRefusal,
  isRequest,
  isRequestable,
  readRequest,
} from "./requests/request.ts";
import { RequestCoalescer } from "./requests/request-coalescer.ts";
import { callOptions } from "./settings.ts";

/**
 * The given function. The field `spillway` of its second argument holds options of the request,
 * such as its priority.
 */
export type LimitedFetch<F extends Fetch> = (
  input: Parameters<F>[0],
  init?: Parameters<F>[1] & { readonly spillway?: CallOptions },
) => ReturnType<F>;

/**
 * Returns a `fetch` that stays within the limits of the servers that it calls.
 *
 * It obeys `Retry-After`, slows down before a server refuses, retries what may be retried, and
 * stops sending to hosts that fail. Create one for a program, not one for each request: what it
 * learns of a host applies to all requests to it. If it gives up after a refusal, it returns the
 * response as the server sent it (see `decisionOf`). A request that is not sent in time, for the
 * first time or again, rejects with a `RateLimitError`.
 *
 * Not for event streams, which are one long response, and not for hedged requests.
 *
 * @param fetch The runtime's own, undici's, or one that wraps it.
 * @throws SpillwayError `bad-option`, `bad-clock`, `unknown-field`, `unknown-limit`
 * @example
 * const api = limitedFetch(fetch, { wait: 60_000 });
 * const response = await api("https://api.example.com/items", { spillway: { priority: "low" } });
 */
export function limitedFetch<F extends Fetch, const L extends Limits>(
  fetch: F,
  options: LimitedFetchOptions<L> = {},
): LimitedFetch<F> {
  checkFunction("fetch", fetch ?? null, "a function like fetch");
  const client = shared(options as LimitedFetchOptions);
  const { settings } = client;
  const coalescer = new RequestCoalescer<ClientResponse>();
  const limited = async (
    input: unknown,
    init?: FetchInit & { readonly spillway?: CallOptions },
  ) => {
    const rest = withoutOurs(init);
    const request = readRequest(input, rest);
    const call = callOptions(settings.call, init?.spillway);
    const send = sender(fetch, input, rest);
    const isUsedUp = isRequest(input) && input.bodyUsed === true && request.body === undefined;
    const isInvalid = (error: unknown) =>
      isUsedUp || isRefusal(error) || isOwnRefusal(error) || !isRequestable(input, rest ?? {});
    const run = (send: Sender) =>
      attempt(client, { request, call, send, ending: endingWith, isInvalid });
    return settings.join
      ? coalescer.run({ input, request, init: rest, call }, send, run)
      : run(send);
  };
  return limited as LimitedFetch<F>;
}

/**
 * Returns what `fetch` receives: the same object if nothing is removed. A copy would lose what a
 * class or a `Request` holds.
 */
function withoutOurs(
  init: (FetchInit & { readonly spillway?: unknown }) | undefined,
): FetchInit | undefined {
  if (init?.spillway === undefined) return init ?? undefined;
  const { spillway: _, ...rest } = init;
  return rest;
}

type Sender = (isLast: boolean) => Promise<ClientResponse>;

/**
 * Returns a function that sends the request. A `Request` can be sent only once, so a clone is sent
 * in all attempts but the last.
 */
function sender(fetch: Fetch, input: unknown, init: FetchInit | undefined): Sender {
  const call = fetch as (input: unknown, init?: FetchInit) => Promise<ClientResponse>;
  const isUsedUp = isRequest(input) && init?.body === undefined;
  return async (isLast) => {
    try {
      return await call(isUsedUp && !isLast ? input.clone() : input, init);
    } catch (error) {
      throw refusalBelow(error) ?? error;
    }
  };
}

/**
 * Returns the refusal of a dispatcher below; undefined if there is none. `fetch` passes it on as
 * the cause of its own error.
 */
function refusalBelow(error: unknown): unknown {
  const { cause } = (error ?? {}) as { readonly cause?: unknown };
  return isRefusal(cause) ? cause : undefined;
}

/**
 * Returns whether a limit of this library has refused. That is final, and nothing is learnt about
 * the host from it.
 */
function isRefusal(error: unknown): boolean {
  return error instanceof RateLimitError;
}
