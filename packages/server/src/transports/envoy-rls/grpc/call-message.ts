/** The message of a call: from its first part until it is its turn to be decided. */
import type { IncomingHttpHeaders, ServerHttp2Stream } from "node:http2";
import type { HeldBytes, HeldMessage, Turns, Waiting } from "../../intake/index.ts";
import { frameIn, HEAD, isPacked } from "./message-frame.ts";
import type { Overdue, Unread } from "./overdue.ts";
import { GrpcError, STATUS } from "./status.ts";
import { gunzip, type Packed, type Unpacking } from "./unpacking.ts";

/** What all calls of a server share to take in their messages. */
export type Intake = {
  /** The longest message, in bytes. */
  readonly longest: number;
  /** Bounds what all messages hold. */
  readonly held: HeldBytes;
  /** Sees to it that messages arrive. */
  readonly overdue: Overdue;
  readonly unpacking: Unpacking;
  readonly turns: Turns;
  /** Is called each time that a message is refused for the sake of others. */
  readonly onDropped: () => void;
};

/** Whose message it is. One of the two is called, once; neither, where the client has gone. */
export type Receiver = {
  decide(message: Buffer): void;
  fail(error: unknown): void;
};

/** Where a message waits for its turn. */
type Queue = { add(connection: object, message: CallMessage): void };

const DROPPED = new GrpcError(
  STATUS.RESOURCE_EXHAUSTED,
  "all connections hold too many unfinished messages, and this is the oldest; send it again",
);

/**
 * Most messages come whole, with their call, and are decided at once. Only others are kept, and their
 * streams listened to for what else may happen to them.
 */
export class CallMessage implements Unread, Waiting, Packed {
  readonly #stream: ServerHttp2Stream;
  readonly #headers: IncomingHttpHeaders;
  readonly #receiver: Receiver;
  readonly #intake: Intake;
  /** What is kept of it: as it came, and as it is unpacked. */
  #held: HeldMessage | undefined;
  #unpacked: HeldMessage | undefined;
  /** All of it, while it waits for its turn. */
  #whole: Buffer | undefined;
  #isOver = false;
  isRead = false;

  constructor(
    stream: ServerHttp2Stream,
    headers: IncomingHttpHeaders,
    receiver: Receiver,
    intake: Intake,
  ) {
    this.#stream = stream;
    this.#headers = headers;
    this.#receiver = receiver;
    this.#intake = intake;
    stream.on("data", (part: Buffer) => this.#receive(part));
    intake.overdue.watch(this);
  }

  /** Is called where the message did not come with the call. */
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

  /** How many bytes wait for their turn. */
  get size(): number {
    return this.#whole?.length ?? 0;
  }

  /** Has it decided, for it is its turn. */
  proceed(): void {
    if (this.#whole !== undefined) this.#decide(this.#whole);
  }

  /** Unpacks it, for it is its turn. */
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

  /** Nothing more is taken in, and nothing kept. */
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

  /** The frame, where this part completes it: mostly it is all of it. */
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

  /** Whether bytes of it are kept. A call without any counts too, from the turn after its headers. */
  get #isKept(): boolean {
    return this.#held !== undefined && this.#held.length > 0;
  }

  /** A call costs memory before its first byte: it counts, so that there are not too many of them. */
  #reserve(): void {
    this.#held ??= this.#begin();
    this.#held.reserve();
  }

  /** What comes after the message is not read: a call has one. */
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

  #await(queue: Queue, message: Buffer): void {
    this.#whole = this.#kept(message);
    if (this.#isOver) return;
    // Connections take turns.
    queue.add(this.#stream.session ?? this.#stream, this);
    this.#stream.on("close", () => this.end());
  }

  /** The message as it is held from now on. */
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

  /** It is unpacked: what it was unpacked from is not needed any more. */
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
    this.fail(new GrpcError(STATUS.INTERNAL, "the call ended before its message did"));
  }
}
