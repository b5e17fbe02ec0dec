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
import { type ClientRequest, headerOf, originOf } from "./request.ts";
import { UndiciControl, type UndiciController } from "./undici-control.ts";

/** What is needed of undici's `DispatchOptions`. */
export type UndiciOptions = {
  readonly origin?: unknown;
  readonly path: string;
  readonly method: string;
  readonly headers?: unknown;
  readonly body?: unknown;
};

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
/** An answer that has begun. */
type Held = ClientResponse & {
  pass(): void;
  isOver(): boolean;
  /** Called when it is over. */
  readonly ends: Set<() => void>;
};
type Handlers = Record<string, ((...values: unknown[]) => void) | undefined>;

/**
 * An interceptor for undici 7 or newer: `new Agent().compose(limitInterceptor())`.
 *
 * Takes the options of `limitedFetch`, but for `join`. An interceptor that follows redirects is composed after
 * it, so that each hop waits for its own host.
 *
 * @throws SpillwayError `bad-option`, `unknown-field`
 * @example
 * setGlobalDispatcher(new Agent().compose(limitInterceptor({ wait: 60_000 })));
 */
export function limitInterceptor<const L extends Limits, M extends Mode>(
  options: LimitedFetchOptions<L, M> = {},
): <D extends UndiciDispatch>(dispatch: D) => D {
  const client = shared(options as LimitedFetchOptions);
  const { call } = client.settings;
  return <D extends UndiciDispatch>(dispatch: D) => {
    const limited = (options: UndiciOptions, handler: Handlers): boolean => {
      const control = new UndiciControl();
      // Now, and not when it is sent: who waits can be broken off.
      handler.onRequestStart?.(control, {});
      const request = requestOf(options, control);
      const send = () => sent({ dispatch, options, handler, control });
      attempt(client, { request, call, send, ending, isInvalid }).then(
        (held) => held.pass(),
        (error) => handler.onResponseError?.(control, error),
      );
      return true;
    };
    return limited as unknown as D;
  };
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
    header: (name) => headerOf(headers, name),
  };
}

/** Of what undici itself refuses to send. */
function isInvalid(error: unknown): boolean {
  return (error as { readonly code?: unknown } | undefined)?.code === "UND_ERR_INVALID_ARG";
}

function ending(held: Held, end: () => void): Held {
  held.ends.add(end);
  if (held.isOver()) end();
  return held;
}

type Sending = {
  readonly dispatch: UndiciDispatch;
  readonly options: UndiciOptions;
  readonly handler: Handlers;
  readonly control: UndiciControl;
};

/** A refusal is read to its end, for its connection serves again; a longer one ends with its connection. */
const MOST_DRAINED = 65_536;

/** Sends once; resolves with the answer as soon as it begins. */
function sent({ dispatch, options, handler, control }: Sending): Promise<Held> {
  return new Promise((resolve, reject) => {
    let calls: Call[] | undefined = [];
    let isDropped = false;
    let hasAnswered = false;
    let isOver = false;
    const ends = new Set<() => void>();
    const over = () => {
      isOver = true;
      for (const end of ends) end();
    };
    let left = MOST_DRAINED;
    const drained = ({ abort }: UndiciController, chunk: unknown) => {
      left -= (chunk as { readonly length: number }).length;
      if (left < 0) abort?.(new Error("a refusal's body was too long to be read to its end"));
    };
    const later = (call: Call) => {
      if (calls === undefined) call(handler);
      else calls.push(call);
    };
    const answered = (status: number, headers: object): void => {
      hasAnswered = true;
      control.pause();
      resolve({
        status,
        headers: { get: (name) => headerOf(headers, name) ?? null },
        ends,
        isOver: () => isOver,
        body: {
          cancel() {
            isDropped = true;
            control.resume();
          },
        },
        pass() {
          const held = calls ?? [];
          calls = undefined;
          for (const call of held) call(handler);
          control.resume();
        },
      });
    };
    const recording: Handlers = {
      onRequestStart: (real) => control.begin(real as UndiciController),
      onRequestUpgrade(_, ...values) {
        later((to) => to.onRequestUpgrade?.(control, ...values));
        answered(values[0] as number, values[1] as object);
        over();
      },
      onResponseStart(_, ...values) {
        const [status, headers] = values as [number, object];
        later((to) => to.onResponseStart?.(control, ...values));
        if (status >= 200) answered(status, headers);
      },
      onResponseData(real, chunk) {
        if (isDropped) drained(real as UndiciController, chunk);
        else later((to) => to.onResponseData?.(control, chunk));
      },
      onResponseEnd(_, trailers) {
        later((to) => to.onResponseEnd?.(control, trailers));
        over();
      },
      onResponseError(_, error) {
        if (hasAnswered) later((to) => to.onResponseError?.(control, error));
        else reject(error);
        over();
      },
    };
    dispatch(options as never, recording as never);
  });
}
