/** Reads the message of a gRPC call and queues it until the call is decided. */
import type { IncomingHttpHeaders, ServerHttp2Stream } from "node:http2";
import type {
  HeldBytes,
  HeldMessage,
  MessageScheduler,
  QueuedMessage,
} from "../../intake/index.ts";
import { frameIn, HEAD, isPacked } from "./message-frame.ts";
import type { AwaitedMessage, Overdue } from "./overdue.ts";
import { GrpcError, STATUS } from "./status.ts";
import { gunzip, type PackedMessage, type Unpacking } from "./unpacking.ts";

/** The parts that all calls of a server share to read their messages. */
export type MessageIntake = {
  /** The longest message, in bytes. */
  readonly longest: number;
  /** Bounds the bytes that all messages hold. */
  readonly held: HeldBytes;
  /** Ends calls whose message does not arrive in time. */
  readonly overdue: Overdue;
  readonly unpacking: Unpacking;
  readonly turns: MessageScheduler;
  /** Called for each message that is refused to make room for others. */
  readonly onDropped: () => void;
};

/**
 * Receives the outcome of reading a message. Exactly one method is called, once. None is called if
 * the client has disconnected.
 */
export type MessageReceiver = {
  decide(message: Buffer): void;
  fail(error: unknown): void;
};

/** A queue in which a message waits for its turn. */
type CallQueue = { add(connection: object, message: CallMessage): void };

const DROPPED = new GrpcError(
  STATUS.RESOURCE_EXHAUSTED,
  "unfinished messages on all connections hold too many bytes, and this message is the oldest; " +
    "send it again",
);

/**
 * Most messages arrive whole, together with their call, and are decided at once. Only the others
 * are kept, and only their streams need listeners.
 */
export class CallMessage implements AwaitedMessage, QueuedMessage, PackedMessage {
  readonly #stream: ServerHttp2Stream;
  readonly #headers: IncomingHttpHeaders;
  readonly #receiver: MessageReceiver;
  readonly #intake: MessageIntake;
  /** The bytes that are kept: as they arrived, and unpacked. */
  #held: HeldMessage | undefined;
  #unpacked: HeldMessage | undefined;
  /** The whole message while it waits for its turn. */
  #whole: Buffer | undefined;
  #isOver = false;
  isRead = false;

  constructor(
    stream: ServerHttp2Stream,
    headers: IncomingHttpHeaders,
    receiver: MessageReceiver,
    intake: MessageIntake,
  ) {
    this.#stream = stream;
    this.#headers = headers;
    this.#receiver = receiver;
    this.#intake = intake;
    stream.on("data", (part: Buffer) => this.#receive(part));
    intake.overdue.watch(this);
  }

  /** Called if the message did not arrive with the call. */
  wait(): void {
    const stream = this.#stream;
    if (stream.closed || stream.destroyed) this.end();
    else if (stream.readableEnded) this.#endEarly();
    else {
      stream.on("close", () => this.end());
      stream.on("end", () => this.#endEarly());
      this.#reserve();
    }
  }

  /** The number of bytes that wait for their turn. */
  get size(): number {
    return this.#whole?.length ?? 0;
  }

  /** Decides the message, because it is its turn. */
  proceed(): void {
    if (this.#whole !== undefined) this.#decide(this.#whole);
  }

  /** Unpacks the message, because it is its turn. */
  async unpack(): Promise<void> {
    if (this.#whole === undefined) return;
    this.#unpacked = this.#begin();
    try {
      await gunzip(this.#whole, this.#unpacked, this.#intake.longest);
      this.#exchange();
    } catch (error) {
      this.fail(error);
    }
  }

  /** Ends the call without a decision. */
  fail(error: unknown): void {
    if (this.#isOver) return;
    this.end();
    this.#receiver.fail(error);
  }

  /** Stops reading and releases all bytes. */
  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#read();
    this.#whole = undefined;
    this.#held?.release();
    this.#unpacked?.release();
  }

  #receive(part: Buffer): void {
    if (this.isRead) return;
    try {
      const frame = this.#frameWith(part);
      if (frame !== undefined) this.#accept(frame);
    } catch (error) {
      this.fail(error);
    }
  }

  /** Returns the frame if this part completes it. Most parts are whole frames. */
  #frameWith(part: Buffer): Buffer | undefined {
    const { longest } = this.#intake;
    if (!this.#isKept) {
      const frame = frameIn(part, longest);
      if (frame !== undefined) return frame;
      this.#held ??= this.#begin();
    }
    const held = this.#held as HeldMessage;
    held.add(part);
    return frameIn(held.bytes, longest);
  }

  /**
   * Whether bytes are kept. A call without any bytes counts too, from the turn after its headers.
   */
  get #isKept(): boolean {
    return this.#held !== undefined && this.#held.length > 0;
  }

  /**
   * A call costs memory before its first byte. It counts as held, which bounds the number of such
   * calls.
   */
  #reserve(): void {
    this.#held ??= this.#begin();
    this.#held.reserve();
  }

  /** Bytes after the message are ignored: a unary call has one message. */
  #accept(frame: Buffer): void {
    this.#read();
    const isCompressed = isPacked(frame, this.#headers["grpc-encoding"] as string | undefined);
    const message = frame.subarray(HEAD);
    if (isCompressed) this.#await(this.#intake.unpacking, message);
    else this.#enter(message);
  }

  #enter(message: Buffer): void {
    const { turns } = this.#intake;
    if (turns.admit(HEAD + message.length)) this.#decide(message);
    else this.#await(turns, message);
  }

  #await(queue: CallQueue, message: Buffer): void {
    this.#whole = this.#kept(message);
    if (this.#isOver) return;
    // Connections take turns.
    queue.add(this.#stream.session ?? this.#stream, this);
    this.#stream.on("close", () => this.end());
  }

  /** Returns the message in memory that is counted, and copies it there if necessary. */
  #kept(message: Buffer): Buffer {
    if (this.#isKept) return message;
    this.#held ??= this.#begin();
    this.#held.add(message);
    return this.#held.bytes;
  }

  #begin(): HeldMessage {
    const { held, longest, onDropped } = this.#intake;
    return held.begin({
      longest: HEAD + longest,
      onDropped: () => {
        onDropped();
        this.fail(DROPPED);
      },
    });
  }

  /** Releases the packed bytes after the message was unpacked. */
  #exchange(): void {
    if (this.#isOver) return;
    this.#held?.release();
    this.#held = this.#unpacked;
    this.#unpacked = undefined;
    this.#enter((this.#held as HeldMessage).bytes);
  }

  #decide(message: Buffer): void {
    this.end();
    this.#receiver.decide(message);
  }

  #read(): void {
    if (this.isRead) return;
    this.isRead = true;
    this.#intake.overdue.read(this);
  }

  #endEarly(): void {
    if (this.isRead) return;
    this.fail(new GrpcError(STATUS.INTERNAL, "the call ended before its message was complete"));
  }
}
