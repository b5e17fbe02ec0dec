/**
 * The bytes of messages that have begun and are not decided, and of answers that are not taken, of all connections
 * together.
 *
 * Where they would be too many, the oldest message is dropped: an honest one is complete within
 * milliseconds, and one that a stranger leaves unfinished becomes the oldest.
 */

/** The most bytes that messages hold together. */
export const MOST_HELD = 64 * 1024 * 1024;

/** The least that a message counts for, in bytes, so that there are not too many of them either. */
const LEAST = 4096;

export type HeldOptions = {
  /** The most bytes. Default: 64 MiB. A single message may have more. */
  readonly most?: number | undefined;
};

export type MessageOptions = {
  /** The most bytes that it will have; more of them are taken, but none is kept ready for more. */
  readonly longest: number;
  /** Is called once, where its bytes were given up for others'. */
  readonly onDropped: () => void;
};

/** One for a process: share it among its servers. */
export class HeldBytes {
  readonly #most: number;
  /** How much each holds, the oldest first. */
  readonly #messages = new Map<HeldMessage, number>();
  #bytes = 0;

  constructor({ most = MOST_HELD }: HeldOptions = {}) {
    this.#most = most;
  }

  /** How many are held now. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Begins a message that will have to be kept. */
  begin(options: MessageOptions): HeldMessage {
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
 * What has come of one message: a copy, in memory that grows with it. The parts themselves are not
 * kept, for the smallest keeps all that was read together with it.
 */
export class HeldMessage {
  readonly #options: MessageOptions;
  readonly #resize: (message: HeldMessage, bytes: number) => void;
  #memory: Buffer = NONE;
  #length = 0;
  #isOver = false;

  constructor(options: MessageOptions, resize: (message: HeldMessage, bytes: number) => void) {
    this.#options = options;
    this.#resize = resize;
  }

  /** The bytes so far: none once it is over. Valid until the next part. */
  get bytes(): Buffer {
    return this.#memory.subarray(0, this.#length);
  }

  get length(): number {
    return this.#length;
  }

  /** Whether it was released or dropped. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Counts so many bytes, and the least portion at least, unless it is over: for what keeps none here, or none yet. */
  reserve(bytes = 0): void {
    if (!this.#isOver && this.#memory === NONE) this.#resize(this, Math.max(LEAST, bytes));
  }

  /** Adds a part, unless it is over. It may be dropped by that itself. */
  add(part: Uint8Array): void {
    if (!this.#isOver) this.#grow(this.#length + part.length);
    if (this.#isOver) return;
    this.#memory.set(part, this.#length);
    this.#length += part.length;
  }

  /** Ends it: its bytes count no more. */
  release(): void {
    this.#isOver = true;
    this.#memory = NONE;
    this.#length = 0;
    this.#resize(this, 0);
  }

  /** Ends it for the sake of others. */
  drop(): void {
    this.release();
    this.#options.onDropped();
  }

  /** Each byte is copied twice at most on average, however small the parts. */
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
