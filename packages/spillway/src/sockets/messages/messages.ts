/** Limits of what comes over a WebSocket that is open. */

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
 * What is needed of a WebSocket: of the package `ws`, which Fastify's and Hono's for Node use as
 * well.
 */
export type MessageSocket = EventSource & {
  close(code: number, reason: string): unknown;
  terminate(): unknown;
  pause(): unknown;
  resume(): unknown;
  once(event: "close", listener: () => void): unknown;
};

/** What happens to messages, for logs and metrics. */
export type MessageEvent =
  /** A message was refused, and the connection closed; in shadow neither. */
  | { readonly type: "refused"; readonly decision: Decision; readonly shadow: boolean }
  /** The limiter threw, or rejected; the connection is closed. */
  | { readonly type: "failed"; readonly error: unknown };

/** What can be said of messages. At least one of `messages` and `bytes`. */
export type MessageOptions<L extends Limits = Limits> = {
  /** The limit of messages; pings and pongs count as well. */
  readonly messages?: RateName<L>;
  /** The limit of bytes that messages hold, once they are whole and unpacked. */
  readonly bytes?: RateName<L>;
  /** Whose budgets, as the name of a user. Default: each connection's own. */
  readonly key?: string;
  /**
   * How long a message waits for its units from when it was received, milliseconds or text such as
   * `"5s"`: reading stops until then, which slows the sender down. Beyond that the connection is
   * closed. Under a leaky bucket it waits for its turn all the same. Default: 0.
   */
  readonly wait?: Duration;
  /** Decides and counts, and enforces nothing. Default: false. */
  readonly shadow?: boolean;
  /** Receives refusals and failures. */
  readonly onEvent?: (event: MessageEvent) => unknown;
  /** What waits, for tests. Default: the runtime's. */
  readonly scheduler?: Scheduler;
};

const TABLE = {
  messages: given<string>(),
  bytes: given<string>(),
  key: checkedKey,
  wait: given<Duration>(0),
  shadow: flag(),
  onEvent: callable<NonNullable<MessageOptions["onEvent"]>>(),
  scheduler,
} satisfies OptionTable<MessageOptions>;

/** There was no close frame (RFC 6455, 7.1.5). */
const ABNORMAL = 1006;
/** The server has failed (7.4.1). */
const INTERNAL_ERROR = 1011;

/** Milliseconds that a client has for its own part of closing. */
const CLOSING = 2000;

/**
 * Limits the messages of a WebSocket: its listeners receive only those that are admitted, in order.
 *
 * Call it where the connection begins, before or after listeners are added. What is refused closes
 * the connection, by `closeOf`, and nothing more is received. With `wait`, the connection is not
 * read while a message waits, so that the sender is slowed down; do not `pause` it yourself then.
 * What a client sent before it closed is received, and `close` after it.
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
    wait: shadow ? 0 : checkedWait(wait),
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
    // Who has closed it has said before what is to be received; who has broken it off is not waited
    // for.
    if (code === ABNORMAL) queue.end();
    queue.finish(pass);
  };
  const gates = ["message", "ping", "pong"].map((event) => [event, gate] as const);
  intercept(socket, new Map([...gates, ["close", end]]));
}

type Settings = OptionsOf<typeof TABLE>;

function checked(socket: MessageSocket, limits: Limits, options: MessageOptions): Settings {
  const settings = readOptions({ of: "limitMessages" }, options, TABLE);
  const expected = "a WebSocket of the package ws; for others, see closeOf";
  for (const method of ["emit", "pause"]) checkMethod("socket", socket, { method, expected });
  const { messages, bytes } = settings;
  if (messages === undefined && bytes === undefined) {
    throw badOption("messages", messages, "the name of a limit here, or as `bytes`");
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

/**
 * Makes a function that asks for a message of so many bytes: for all that it takes, or for nothing.
 */
function asking(
  limiter: AnyLimiter,
  { messages, bytes, key = crypto.randomUUID() }: Settings,
): (size: number) => MaybePromise<Decision> {
  if (bytes === undefined) return () => limiter.limit(messages as string, { key, count: 1 });
  if (messages === undefined) return (count) => limiter.limit(bytes, { key, count });
  return (count) =>
    limiter.limitAll([
      { limit: messages, key, count: 1 },
      { limit: bytes, key, count },
    ]);
}

/** A client that does not answer must not stay. */
function close(socket: MessageSocket, code: number, reason: string): void {
  const stop = afterDelay(CLOSING, () => quietly(() => socket.terminate()));
  quietly(() => socket.once("close", stop));
  quietly(() => socket.close(code, reason));
}
