import type { ClientResponse, Fetch } from "../http/advice/index.ts";
import { checkFunction } from "../internal/index.ts";
import { type Limits, RateLimitError } from "../limits/core/index.ts";
import type { CallOptions, LimitedFetchOptions } from "./options.ts";
import { attempt } from "./requests/attempts.ts";
import { endingWith } from "./requests/body-end.ts";
import { shared } from "./requests/client.ts";
import {
  type Init,
  isOwnRefusal,
  isRequest,
  isRequestable,
  readRequest,
} from "./requests/request.ts";
import { RequestCoalescer } from "./requests/request-coalescer.ts";
import { callOptions } from "./settings.ts";

/** The same function, whose second argument may say how much a request matters, and how long it waits. */
export type LimitedFetch<F extends Fetch> = (
  input: Parameters<F>[0],
  init?: Parameters<F>[1] & { readonly spillway?: CallOptions },
) => ReturnType<F>;

/**
 * A `fetch` that stays within other people's limits.
 *
 * Obeys `Retry-After`, slows down before a server refuses, sends again what may be sent again, and
 * stops sending to what fails. Make one for a program, and not one for each request: what it learns of
 * a host holds for all requests there. A refusal that it has given up on is returned as the server sent it
 * (see `decisionOf`); what is not sent in time, for the first time or again, rejects with a `RateLimitError`.
 *
 * Not for streams of events, which are one long answer, nor for hedging.
 *
 * @param fetch The runtime's own, undici's, or one that wraps it.
 * @throws SpillwayError `bad-option`, `unknown-field`
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
  const joined = new RequestCoalescer<ClientResponse>();
  const limited = async (input: unknown, init?: Init & { readonly spillway?: CallOptions }) => {
    const rest = withoutOurs(init);
    const request = readRequest(input, rest);
    const call = callOptions(settings.call, init?.spillway);
    const send = sender(fetch, input, rest);
    const isUsedUp = isRequest(input) && input.bodyUsed === true && request.body === undefined;
    const isInvalid = (error: unknown) =>
      isUsedUp || isRefusal(error) || isOwnRefusal(error) || !isRequestable(input, rest ?? {});
    const run = (send: Sender) =>
      attempt(client, { request, call, send, ending: endingWith, isInvalid });
    return settings.join ? joined.run({ input, request, init: rest, call }, send, run) : run(send);
  };
  return limited as LimitedFetch<F>;
}

/** What `fetch` is to receive: itself where nothing is taken out, for a copy loses what a class or a `Request` has. */
function withoutOurs(init: (Init & { readonly spillway?: unknown }) | undefined): Init | undefined {
  if (init?.spillway === undefined) return init ?? undefined;
  const { spillway: _, ...rest } = init;
  return rest;
}

type Sender = (isLast: boolean) => Promise<ClientResponse>;

/** A `Request` is used up by being sent, so that a copy of it is, unless it is not needed again. */
function sender(fetch: Fetch, input: unknown, init: Init | undefined): Sender {
  const call = fetch as (input: unknown, init?: Init) => Promise<ClientResponse>;
  const isUsedUp = isRequest(input) && init?.body === undefined;
  return async (isLast) => {
    try {
      return await call(isUsedUp && !isLast ? input.clone() : input, init);
    } catch (error) {
      throw refusalBelow(error) ?? error;
    }
  };
}

/** What a dispatcher below has refused to send: `fetch` hands it on as the cause of an error of its own. */
function refusalBelow(error: unknown): unknown {
  const { cause } = (error ?? {}) as { readonly cause?: unknown };
  return isRefusal(cause) ? cause : undefined;
}

/** Whether a limit of this library has refused: that is final, and says nothing of the host. */
function isRefusal(error: unknown): boolean {
  return error instanceof RateLimitError;
}
