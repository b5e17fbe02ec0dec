/** Streams that keep to a limit. */
import {
  type Decision,
  type Duration,
  type Limits,
  MINUTE,
  type Mode,
  RateLimitError,
  type Scheduler,
} from "../core/index.ts";
import { badOption, checkOptions, checkRateName, systemScheduler } from "../internal/index.ts";
import { isSignal, type RateLimiter, type RateName, type StopSignal } from "../limiter/index.ts";
import type { AnyLimiter } from "../middleware/guard/index.ts";
import { isBytes } from "./sizes.ts";
import { isWebStream, type Source, sourceOf, type WebStream, webStreamOf } from "./sources.ts";
import { type Stopper, stopper } from "./stopper.ts";
import { checkedWait, take } from "./take.ts";

/** At what pace. */
export type PacedOptions<L extends Limits = Limits> = {
  /** The limit of what goes through: its rate is the pace, its capacity what may go at once. */
  readonly limit: RateName<L>;
  /** Whose budget. Default: one for all streams under this limit. */
  readonly key?: string;
  /** What is counted: the bytes of each chunk, or each chunk as one event. Default: `"bytes"`. */
  readonly of?: "bytes" | "events";
  /** How long a piece waits at most, milliseconds or text; then the stream fails. Default: a minute. */
  readonly wait?: Duration;
  /** Ends the stream, with the signal's reason. */
  readonly signal?: StopSignal;
  /** What waits, for tests. Default: the runtime's. */
  readonly scheduler?: Scheduler;
};

const FIELDS = ["limit", "key", "of", "wait", "signal", "scheduler"];

/**
 * Lets a stream go on no faster than a limit allows: a web stream as a web stream, anything else that can be
 * iterated, such as a `Readable`, as an async iterator, which `pipeline` and `Readable.from` take.
 *
 * Nothing is read ahead: who waits for units does not read, so that the source is slowed down. Chunks that
 * are larger than the limit's capacity come in pieces of that size. Errors pass through; whoever stops
 * reading stops the source.
 *
 * @throws SpillwayError `bad-option`, `unknown-field`, `unknown-limit`, `wrong-kind`, `bad-wait`. While it is read:
 *   `RateLimitError` where a piece would wait too long; `bad-option` for chunks that are no bytes.
 * @example
 * await pipeline(paced(createReadStream(file), limiter, { limit: "download", key: user }), response);
 */
export function paced<S extends WebStream, const L extends Limits, M extends Mode>(
  source: S,
  limiter: RateLimiter<L, M>,
  options: PacedOptions<L>,
): S;
export function paced<T, const L extends Limits, M extends Mode>(
  source: AsyncIterable<T> | Iterable<T>,
  limiter: RateLimiter<L, M>,
  options: PacedOptions<L>,
): AsyncIterableIterator<T>;
export function paced<const L extends Limits, M extends Mode>(
  source: WebStream | AsyncIterable<unknown> | Iterable<unknown>,
  limiter: RateLimiter<L, M>,
  options: PacedOptions<L>,
): unknown {
  const plain = options as PacedOptions;
  check(limiter.limits, plain);
  const pieces = new PacedIterator(sourceOf(source), limiter as unknown as AnyLimiter, plain);
  return isWebStream(source) ? webStreamOf(pieces) : pieces;
}

function check(limits: Limits, options: PacedOptions): void {
  checkOptions("paced", options, FIELDS);
  const { limit, of = "bytes", signal } = options;
  checkRateName(limits, "limit", limit);
  if (of !== "bytes" && of !== "events") throw badOption("of", of, '"bytes" or "events"');
  if (signal !== undefined && !isSignal(signal))
    throw badOption("signal", signal, "an AbortSignal");
}

/** Reads a chunk where one is wanted, and gives it piece by piece. */
class PacedIterator implements AsyncIterableIterator<unknown> {
  readonly #source: Source;
  readonly #limiter: AnyLimiter;
  readonly #options: PacedOptions;
  readonly #wait: number;
  readonly #stopper: Stopper = stopper();
  /** What was read and has not been given yet. */
  #rest: { readonly chunk: unknown } | undefined;
  /** The largest piece that the limit can hold, as far as it is known. */
  #most = Number.POSITIVE_INFINITY;
  #isOver = false;
  /** Whoever asks twice at once is answered in order. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(source: Source, limiter: AnyLimiter, options: PacedOptions) {
    this.#source = source;
    this.#limiter = limiter;
    this.#options = options;
    this.#wait = checkedWait(options.wait ?? MINUTE);
    const { signal } = options;
    if (signal?.aborted) this.#abort();
    else signal?.addEventListener("abort", this.#abort);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<unknown>> {
    const next = this.#last.then(() => this.#next());
    this.#last = next.catch(() => {});
    return next;
  }

  async return(value?: unknown): Promise<IteratorResult<unknown>> {
    this.#end(undefined);
    return { done: true, value };
  }

  /** At once, though nobody may be reading. */
  readonly #abort = (): void => {
    const reason = this.#options.signal?.reason;
    this.#stopper.stop(reason);
    this.#source.cancel(reason);
  };

  async #next(): Promise<IteratorResult<unknown>> {
    if (this.#isOver) return { done: true, value: undefined };
    try {
      if (this.#rest === undefined) {
        const { done, value } = await this.#source.next(this.#stopper.signal);
        if (done) return this.#finish();
        this.#rest = { chunk: value };
      }
      return { done: false, value: await this.#piece(this.#rest.chunk) };
    } catch (error) {
      // Stopped by who reads: that is an end, and no failure.
      if (this.#isOver) return { done: true, value: undefined };
      this.#end(error);
      throw error;
    }
  }

  /** The next piece of what was read, once it is paid for. */
  async #piece(chunk: unknown): Promise<unknown> {
    for (;;) {
      const size = Math.min(this.#size(chunk), this.#most);
      if (size === 0) return this.#cut(chunk, size);
      const decision = await this.#take(size);
      if (decision.ok) return this.#cut(chunk, size);
      const { reason, capacity } = decision;
      const canSplit = reason === "too large" && capacity > 0 && capacity < size;
      if (!canSplit) throw new RateLimitError(decision);
      this.#most = capacity;
    }
  }

  #size(chunk: unknown): number {
    const { of = "bytes" } = this.#options;
    if (of === "events") return 1;
    if (isBytes(chunk)) return chunk.byteLength;
    const expected =
      'chunks of bytes, as Uint8Array; text is to be encoded, or counted by of: "events"';
    throw badOption("source", chunk, expected);
  }

  #take(count: number): Decision | Promise<Decision> {
    const { limit, key, scheduler = systemScheduler } = this.#options;
    const amount = { count, ...(key !== undefined && { key }) } as { key: string; count: number };
    const timing = { wait: this.#wait, signal: this.#stopper.signal, scheduler };
    return take(() => this.#limiter.limit(limit, amount), timing);
  }

  #cut(chunk: unknown, size: number): unknown {
    const isWhole = this.#options.of === "events" || !isBytes(chunk) || size === chunk.byteLength;
    this.#rest = isWhole ? undefined : { chunk: chunk.subarray(size) };
    return isWhole ? chunk : chunk.subarray(0, size);
  }

  #finish(): IteratorResult<unknown> {
    this.#isOver = true;
    this.#options.signal?.removeEventListener("abort", this.#abort);
    return { done: true, value: undefined };
  }

  #end(reason: unknown): void {
    if (this.#isOver) return;
    this.#finish();
    this.#rest = undefined;
    this.#stopper.stop(reason);
    this.#source.cancel(reason);
  }
}
