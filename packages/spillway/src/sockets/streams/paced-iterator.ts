/**
 * Splits a stream's chunks into pieces that a limit can hold, and delays each until it has its
 * units.
 */
import type { AnyLimiter } from "../../http/guard/index.ts";
import { badObject, type Stopper, stopper } from "../../internal/index.ts";
import { type Decision, RateLimitError } from "../../limits/core/index.ts";
import { isBytes } from "../sizes.ts";
import { take } from "../take.ts";
import type { PacedSettings } from "./paced-options.ts";
import type { ChunkSource, Pieces } from "./sources.ts";

/** Reads a chunk when one is requested, and returns it piece by piece. */
export class PacedIterator implements Pieces {
  readonly #source: ChunkSource;
  readonly #limiter: AnyLimiter;
  readonly #settings: PacedSettings;
  readonly #stopper: Stopper = stopper();
  /** The rest of the last chunk, if not all of it was returned. */
  #rest: { readonly chunk: unknown } | undefined;
  /** The largest piece that the limit can hold; `Infinity` while unknown. */
  #most = Number.POSITIVE_INFINITY;
  #isOver = false;
  /** The previous call. Calls of `next` at the same time are answered in order. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(source: ChunkSource, limiter: AnyLimiter, settings: PacedSettings) {
    this.#source = source;
    this.#limiter = limiter;
    this.#settings = settings;
    const { signal } = settings;
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

  /** Ends as `return` does, and passes a reason to the source. */
  cancel(reason: unknown): void {
    this.#end(reason);
  }

  /** Stops the wait and the source at once, even if no read is in progress. */
  readonly #abort = (): void => {
    const reason = this.#settings.signal?.reason;
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
      // The reader has stopped: that is an end and not a failure.
      if (this.#isOver) return { done: true, value: undefined };
      this.#end(error);
      throw error;
    }
  }

  /** Returns the next piece of the chunk once it has its units. */
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
    if (this.#settings.of === "events") return 1;
    if (isBytes(chunk)) return chunk.byteLength;
    const expected = 'chunks of bytes, as Uint8Array; encode text, or count it by of: "events"';
    throw badObject("source", chunk, expected);
  }

  #take(count: number): Decision | Promise<Decision> {
    const { limit, key, wait, scheduler } = this.#settings;
    const amount = { count, ...(key !== undefined && { key }) } as { key: string; count: number };
    const timing = { wait, signal: this.#stopper.signal, scheduler };
    return take(() => this.#limiter.limit(limit, amount), timing);
  }

  #cut(chunk: unknown, size: number): unknown {
    const isWhole = this.#settings.of === "events" || !isBytes(chunk) || size === chunk.byteLength;
    this.#rest = isWhole ? undefined : { chunk: chunk.subarray(size) };
    return isWhole ? chunk : chunk.subarray(0, size);
  }

  #finish(): IteratorResult<unknown> {
    this.#isOver = true;
    this.#settings.signal?.removeEventListener("abort", this.#abort);
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
