/** Limits the messages of an open WebSocket. */

import {
  badObject,
  badOption,
  callable,
  checkMethod,
  checkRateName,
  flag,
  given,
  type MaybePromise,
  notify,
  type OptionsOf,
  type OptionTable,
  quietly,
  readOptions,
  scheduler,
} from "../../internal/index.ts";
import type { AnyLimiter, RateName } from "../../limiter/index.ts";
import {
  afterDelay,
  type Decision,
  type Duration,
  type Limits,
  type Scheduler,
} from "../../limits/core/index.ts";
import type { EventSource } from "../contracts.ts";
import { type EventInterceptor, intercept } from "../intercept.ts";
import { sizeOf } from "../sizes.ts";
import { checkedWait } from "../take.ts";
import { closeOf } from "./close-of.ts";
import { MessageQueue } from "./message-queue.ts";

/**
 * The required part of a WebSocket of the package `ws`, which Fastify's and Hono's for Node also
 * use.
 */
export type MessageSocket = EventSource & {
  close(code: number, reason: string): unknown;
  terminate(): unknown;
  pause(): unknown;
  resume(): unknown;
  once(event: "close", listener: () => void): unknown;
};

/** Something that happened to messages, for logs and metrics. */
export type MessageEvent =
  /**
   * A message was refused, and the connection was closed. In shadow mode the message was passed on.
   */
  | { readonly type: "refused"; readonly decision: Decision; readonly shadow: boolean }
  /** The limiter threw or rejected. The connection is closed. */
  | { readonly type: "failed"; readonly error: unknown };

/** The options of limits of messages: at least one of `messages` and `bytes`. */
export type MessageOptions<L extends Limits = Limits> = {
  /** The name of the limit of messages. Pings and pongs count as well. */
  readonly messages?: RateName<L>;
  /**
   * The name of the limit of bytes in messages, counted when they are complete and decompressed.
   */
  readonly bytes?: RateName<L>;
  /**
   * The key of the budgets, for example the name of a user. Default: a key of its own for each
   * connection.
   */
  readonly key?: string;
  /**
   * How long a message may wait for its units after its arrival: milliseconds, or text such as
   * `"5s"`.
   *
   * Meanwhile the socket is not read, which slows the sender down. If the wait would be longer, the
   * connection is closed. Under a leaky bucket a message always waits for its turn. Default: 0.
   */
  readonly wait?: Duration;
  /** Decides and counts, but enforces nothing. Default: false. */
  readonly shadow?: boolean;
  /** Receives refusals and failures. */
  readonly onEvent?: (event: MessageEvent) => unknown;
  /** The timers, for tests. Default: those of the runtime. */
  readonly scheduler?: Scheduler;
};

const TABLE = {
  messages: given<string>(),
  bytes: given<string>(),
  key: checkedKey,
  wait: (value: unknown = 0) => checkedWait(value as Duration),
  shadow: flag(),
  onEvent: callable<NonNullable<MessageOptions["onEvent"]>>(),
  scheduler,
} satisfies OptionTable<MessageOptions>;

/** The code if there was no close frame (RFC 6455, 7.1.5). */
const ABNORMAL = 1006;
/** The code if the server has failed (RFC 6455, 7.4.1). */
const INTERNAL_ERROR = 1011;

/** How long a client has to close its side, in milliseconds. */
const CLOSING = 2000;

/**
 * Limits the messages of a WebSocket: its listeners receive only admitted messages, in order.
 *
 * Call it when the connection begins, before or after listeners are added. A refusal closes the
 * connection, by `closeOf`, and nothing more is received. With `wait`, the connection is not read
 * while a message waits, which slows the sender down: do not `pause` it yourself then. Messages
 * that a client sent before it closed are received, and then `close`.
 *
 * A message is in memory before it can be refused: give the server a `maxPayload`.
 *
 * @throws SpillwayError `bad-option`, `unknown-field`, `unknown-limit`, `wrong-kind`, `bad-wait`
 * @example
 * sockets.on("connection", (socket) => limitMessages(socket, limiter, { messages: "messages" }));
 */
export function limitMessages<const L extends Limits>(
  socket: MessageSocket,
  limiter: AnyLimiter<L>,
  options: MessageOptions<L>,
): void {
  const settings = checked(socket, limiter.limits, options as MessageOptions);
  const { shadow, onEvent, wait, scheduler } = settings;
  const queue = new MessageQueue({
    ask: asking(limiter, settings),
    wait: shadow ? 0 : wait,
    scheduler,
    socket,
    refused(decision) {
      notify(onEvent, { type: "refused", decision, shadow });
      if (shadow) return true;
      const { code, reason } = closeOf(decision);
      close(socket, code, reason);
      return false;
    },
    failed(error) {
      notify(onEvent, { type: "failed", error });
      close(socket, INTERNAL_ERROR, "");
    },
  });
  const gate: EventInterceptor = ([data], pass) => queue.enter(sizeOf(data), pass);
  const end: EventInterceptor = ([code], pass) => {
    // A client that closed in order has sent messages that are still to be passed on. After an
    // abnormal end they are dropped.
    if (code === ABNORMAL) queue.end();
    queue.finish(pass);
  };
  const gates = ["message", "ping", "pong"].map((event) => [event, gate] as const);
  intercept(socket, new Map([...gates, ["close", end]]));
}

type MessageSettings = OptionsOf<typeof TABLE>;

function checked(socket: MessageSocket, limits: Limits, options: MessageOptions): MessageSettings {
  const settings = readOptions({ of: "limitMessages" }, options, TABLE);
  const expected = "a WebSocket of the package ws; for others, see closeOf";
  for (const method of ["emit", "pause"]) checkMethod("socket", socket, { method, expected });
  const { messages, bytes } = settings;
  if (messages === undefined && bytes === undefined) {
    throw badOption("messages", messages, "the name of a limit, unless `bytes` has one");
  }
  if (messages !== undefined) checkRateName(limits, "messages", messages);
  if (bytes !== undefined) checkRateName(limits, "bytes", bytes);
  return settings;
}

function checkedKey(value: unknown, field: string): string | undefined {
  if (value === undefined || typeof value === "string") return value;
  throw badObject(field, value, "text");
}

declare const crypto: { randomUUID(): string };

/** Creates a function that takes all units of a message of a given size, or none. */
function asking(
  limiter: AnyLimiter,
  { messages, bytes, key = crypto.randomUUID() }: MessageSettings,
): (size: number) => MaybePromise<Decision> {
  if (bytes === undefined) return () => limiter.limit(messages as string, { key, count: 1 });
  if (messages === undefined) return (count) => limiter.limit(bytes, { key, count });
  return (count) =>
    limiter.limitAll([
      { limit: messages, key, count: 1 },
      { limit: bytes, key, count },
    ]);
}

/** Closes the connection, and terminates it if the client does not respond in time. */
function close(socket: MessageSocket, code: number, reason: string): void {
  const stop = afterDelay(CLOSING, () => quietly(() => socket.terminate()));
  quietly(() => socket.once("close", stop));
  quietly(() => socket.close(code, reason));
}
