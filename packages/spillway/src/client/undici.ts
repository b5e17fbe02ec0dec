/**
 * The same for what speaks undici's own interface: `request`, `stream`, a global dispatcher.
 *
 * An answer is held back until it is clear that it is the last one; then everything that came of it is
 * passed on in order.
 */
import type { Limits, Mode } from "../core/index.ts";
import { attempt } from "./attempts.ts";
import { shared } from "./client.ts";
import type { ClientResponse } from "./contracts.ts";
import type { LimitedFetchOptions } from "./options.ts";
import { headerOf, originOf } from "./request.ts";

/** What is needed of undici's `DispatchOptions`. */
export type UndiciOptions = {
  readonly origin?: unknown;
  readonly path: string;
  readonly method: string;
  readonly headers?: unknown;
  readonly body?: unknown;
};

/** What is needed of undici's `DispatchController`. */
export type UndiciController = { pause(): void; resume(): void };

/** What is needed of undici's `DispatchHandler`, from version 7 on. */
export type UndiciHandler = {
  onRequestStart?(controller: never, context: never): void;
  onRequestUpgrade?(controller: never, status: number, headers: never, socket: never): void;
  onResponseStart?(controller: never, status: number, headers: never, message?: string): void;
  onResponseData?(controller: never, chunk: never): void;
  onResponseEnd?(controller: never, trailers: never): void;
  onResponseError?(controller: never, error: Error): void;
};

/** What is needed of undici's `Dispatch`. */
export type UndiciDispatch = (options: never, handler: never) => boolean;

type Call = (handler: Record<string, ((...values: unknown[]) => void) | undefined>) => void;
type Held = ClientResponse & { pass(): void };
type Handlers = Record<string, ((...values: unknown[]) => void) | undefined>;

/**
 * An interceptor for undici 7 or newer: `new Agent().compose(limitInterceptor())`.
 *
 * Takes the options of `limitedFetch`, but for `join`. Who breaks off a request that waits still here is
 * answered when it would have been sent.
 *
 * @throws SpillwayError `bad-option`, `unknown-field`
 * @example
 * setGlobalDispatcher(new Agent().compose(limitInterceptor({ wait: 60_000 })));
 */
export function limitInterceptor<const L extends Limits, M extends Mode>(
  options: LimitedFetchOptions<L, M> = {},
): <D extends UndiciDispatch>(dispatch: D) => D {
  const client = shared(options as LimitedFetchOptions);
  return <D extends UndiciDispatch>(dispatch: D) => {
    const limited = (options: UndiciOptions, handler: Handlers): boolean => {
      const origin = originOf(String(options.origin ?? ""));
      const { method, body, headers } = options;
      const request = {
        url: origin + options.path,
        origin,
        method: method.toUpperCase(),
        body,
        signal: undefined,
        header: (name: string) => headerOf(headers, name),
      };
      const send = () => sent(dispatch, options, handler);
      attempt(client, { request, call: client.settings.call, send }).then(
        (held) => held.pass(),
        (error) => handler.onResponseError?.(NOT_SENT, error),
      );
      return true;
    };
    return limited as unknown as D;
  };
}

/** What a handler may do with a request that was never sent. */
const NOT_SENT = {
  aborted: true,
  paused: false,
  reason: null,
  abort() {},
  pause() {},
  resume() {},
};

/** Sends once; resolves with the answer as soon as it begins. */
function sent(dispatch: UndiciDispatch, options: UndiciOptions, handler: Handlers): Promise<Held> {
  return new Promise((resolve, reject) => {
    let calls: Call[] | undefined = [];
    let isDropped = false;
    let hasAnswered = false;
    const later = (call: Call) => {
      if (isDropped) return;
      if (calls === undefined) call(handler);
      else calls.push(call);
    };
    const answered = (controller: UndiciController, status: number, headers: object): void => {
      hasAnswered = true;
      controller.pause();
      resolve({
        status,
        headers: { get: (name) => headerOf(headers, name) ?? null },
        body: {
          cancel() {
            isDropped = true;
            controller.resume();
          },
        },
        pass() {
          const held = calls ?? [];
          calls = undefined;
          for (const call of held) call(handler);
          controller.resume();
        },
      });
    };
    const recording: Handlers = {
      onRequestStart: (...values) => later((to) => to.onRequestStart?.(...values)),
      onRequestUpgrade(...values) {
        later((to) => to.onRequestUpgrade?.(...values));
        answered(NOT_SENT, values[1] as number, values[2] as object);
      },
      onResponseStart(...values) {
        const [controller, status, headers] = values as [UndiciController, number, object];
        later((to) => to.onResponseStart?.(...values));
        if (status >= 200) answered(controller, status, headers);
      },
      onResponseData: (...values) => later((to) => to.onResponseData?.(...values)),
      onResponseEnd: (...values) => later((to) => to.onResponseEnd?.(...values)),
      onResponseError(...values) {
        if (hasAnswered) later((to) => to.onResponseError?.(...values));
        else reject(values[1]);
      },
    };
    dispatch(options as never, recording as never);
  });
}
