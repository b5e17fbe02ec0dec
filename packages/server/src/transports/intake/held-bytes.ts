/**
 * Bounds the bytes held over all connections: messages not yet decided, and answers not yet read.
 *
 * When there are too many, the oldest message is dropped. Normal messages are complete within
 * milliseconds, so a message that an attacker leaves unfinished becomes the oldest.
 */

/** The maximum number of bytes of all messages together. */
export const MOST_HELD = 64 * 1024 * 1024;

/**
 * The minimum size that a message counts for, in bytes, which also bounds the number of messages.
 */
const LEAST = 4096;

export type HeldOptions = {
  /** The maximum number of bytes. Default: 64 MiB. A single message may have more. */
  readonly most?: number | undefined;
};

export type HeldMessageOptions = {
  /** The expected maximum of bytes. More are accepted, but no memory is reserved for more. */
  readonly longest: number;
  /** Called once if the message was dropped to make room for others. */
  readonly onDropped: () => void;
};

/** Create one for each process, and share it among its servers. */
export class HeldBytes {
  readonly #most: number;
  /** The bytes of each message, the oldest first. */
  readonly #messages = new Map<HeldMessage, number>();
  #bytes = 0;

  constructor({ most = MOST_HELD }: HeldOptions = {}) {
    this.#most = most;
  }

  /** The number of bytes held now. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Begins a message that has to be kept. */
  begin(options: HeldMessageOptions): HeldMessage {
    return new HeldMessage(options, (message, bytes) => this.#resize(message, bytes));
  }

  #resize(message: HeldMessage, bytes: number): void {
    this.#bytes += bytes - (this.#messages.get(message) ?? 0);
    if (bytes === 0) this.#messages.delete(message);
    else this.#messages.set(message, bytes);
    while (this.#bytes > this.#most && this.#messages.size > 1) this.#dropOldest();
  }

  #dropOldest(): void {
    const [oldest] = this.#messages.keys();
    (oldest as HeldMessage).drop();
  }
}

const NONE = Buffer.alloc(0);

/**
 * The received part of a message, copied into memory that grows. Received chunks themselves are not
 * kept, because the smallest one keeps the whole buffer that was read with it.
 */
export class HeldMessage {
  readonly #options: HeldMessageOptions;
  readonly #resize: (message: HeldMessage, bytes: number) => void;
  #memory: Buffer = NONE;
  #length = 0;
  #isOver = false;

  constructor(options: HeldMessageOptions, resize: (message: HeldMessage, bytes: number) => void) {
    this.#options = options;
    this.#resize = resize;
  }

  /** The bytes so far; none after the end. Valid until the next part. */
  get bytes(): Buffer {
    return this.#memory.subarray(0, this.#length);
  }

  get length(): number {
    return this.#length;
  }

  /** Whether the message was released or dropped. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /**
   * Counts a number of bytes, at least the minimum, unless the message is over. For messages
   * without bytes of their own here, or without any yet.
   */
  reserve(bytes = 0): void {
    if (!this.#isOver && this.#memory === NONE) this.#resize(this, Math.max(LEAST, bytes));
  }

  /** Adds a part, unless the message is over. Adding can drop this message itself. */
  add(part: Uint8Array): void {
    if (!this.#isOver) this.#grow(this.#length + part.length);
    if (this.#isOver) return;
    this.#memory.set(part, this.#length);
    this.#length += part.length;
  }

  /** Ends the message: its bytes no longer count. */
  release(): void {
    this.#isOver = true;
    this.#memory = NONE;
    this.#length = 0;
    this.#resize(this, 0);
  }

  /** Ends the message to make room for others. */
  drop(): void {
    this.release();
    this.#options.onDropped();
  }

  /** Doubles the memory, so that each byte is copied at most twice on average. */
  #grow(length: number): void {
    if (length <= this.#memory.length) return;
    const ready = Math.min(2 * length, this.#options.longest);
    const size = Math.max(LEAST, length, ready);
    this.#resize(this, size);
    if (this.#isOver) return;
    const memory = Buffer.allocUnsafeSlow(size);
    memory.set(this.bytes);
    this.#memory = memory;
  }
}
