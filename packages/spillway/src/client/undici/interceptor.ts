/**
 * The client for undici's own interface: `request`, `stream`, a global dispatcher.
 *
 * A response is held back until it is clear that it is the last one. Then all its events are passed
 * on in order.
 */
import { quietly } from "../../internal/index.ts";
import type { Limits } from "../../limits/core/index.ts";
import type { LimitedFetchOptions } from "../options.ts";
import { attempt } from "../requests/attempts.ts";
import { shared } from "../requests/client.ts";
import { type ClientRequest, headerReader, originOf } from "../requests/request.ts";
import { AttemptHandler, type Handlers, type StartedResponse } from "./attempt-handler.ts";
import { UndiciControl } from "./control.ts";

/** The parts of undici's `DispatchOptions` that are used. */
export type UndiciOptions = {
  readonly origin?: unknown;
  readonly path: string;
  readonly method: string;
  readonly headers?: unknown;
  readonly body?: unknown;
};

/** The parts of undici's `Dispatch` that are used. */
export type UndiciDispatch = (options: never, handler: never) => boolean;

/**
 * Returns an interceptor for undici 7 or newer: `new Agent().compose(limitInterceptor())`.
 *
 * Takes the options of `limitedFetch`, except `join`, which does nothing here. Compose an
 * interceptor that follows redirects after it, so that each hop waits for its own host.
 *
 * @throws SpillwayError `bad-option`, `bad-clock`, `unknown-field`, `unknown-limit`
 * @example
 * setGlobalDispatcher(new Agent().compose(limitInterceptor({ wait: 60_000 })));
 */
export function limitInterceptor<const L extends Limits>(
  options: LimitedFetchOptions<L> = {},
): <D extends UndiciDispatch>(dispatch: D) => D {
  const client = shared(options as LimitedFetchOptions);
  const { call } = client.settings;
  return <D extends UndiciDispatch>(dispatch: D) => {
    const limited = (options: UndiciOptions, handler: Handlers): boolean => {
      const control = new UndiciControl();
      // Called now, and not when it is sent, so that a waiting request can be aborted.
      handler.onRequestStart?.(control, {});
      const request = requestOf(options, control);
      const send = () =>
        new Promise<StartedResponse>((resolve, reject) => {
          const attempt = new AttemptHandler({ handler, control }, { resolve, reject });
          dispatch(options as never, attempt as never);
        });
      attempt(client, { request, call, send, ending, isInvalid })
        .then((held) => held.pass())
        .catch((error) => fail(handler, control, error));
      return true;
    };
    return limited as UndiciDispatch as D;
  };
}

/**
 * Passes an error to the handler, as its last event. An error that the handler throws then must not
 * end the process.
 */
function fail(handler: Handlers, control: UndiciControl, error: unknown): void {
  quietly(() => handler.onResponseError?.(control, error));
}

function requestOf(options: UndiciOptions, { signal }: UndiciControl): ClientRequest {
  const origin = originOf(String(options.origin ?? ""));
  const { method, body, headers } = options;
  return {
    url: origin + options.path,
    origin,
    method: method.toUpperCase(),
    body,
    signal,
    header: headerReader(headers),
  };
}

/** Returns whether undici itself refused to send the request. */
function isInvalid(error: unknown): boolean {
  return (error as { readonly code?: unknown } | undefined)?.code === "UND_ERR_INVALID_ARG";
}

function ending(held: StartedResponse, end: () => void): StartedResponse {
  held.whenOver(end);
  return held;
}
