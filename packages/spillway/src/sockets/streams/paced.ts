/** Streams that keep to a limit. */
import type { WebStream } from "../../internal/index.ts";
import type { AnyLimiter } from "../../limiter/index.ts";
import type { Limits } from "../../limits/core/index.ts";
import { PacedIterator } from "./paced-iterator.ts";
import { checkedPaced, type PacedOptions } from "./paced-options.ts";
import { isWebStream, sourceOf, webStreamOf } from "./sources.ts";

/**
 * Lets a stream go on no faster than a limit allows: a web stream as a web stream, anything else that can be
 * iterated, such as a `Readable`, as an async iterator, which `pipeline` and `Readable.from` take.
 *
 * Nothing is read ahead: who waits for units does not read, so that the source is slowed down. Chunks that
 * are larger than the limit's capacity come in pieces of that size. Errors pass through; whoever stops
 * reading stops the source. `pipeline` notices the end of a reader between two pieces of an iterator: where units may be
 * waited for, give it a `Readable.from` of that.
 *
 * @throws SpillwayError `bad-option`, `unknown-field`, `unknown-limit`, `wrong-kind`, `bad-wait`. While it is read:
 *   `RateLimitError` where a piece would wait too long; `bad-option` for chunks that are no bytes.
 * @example
 * const pieces = paced(createReadStream(file), limiter, { limit: "download", key: user });
 * await pipeline(Readable.from(pieces), response);
 */
export function paced<S extends WebStream, const L extends Limits>(
  source: S,
  limiter: AnyLimiter<L>,
  options: PacedOptions<L>,
): S;
export function paced<T, const L extends Limits>(
  source: AsyncIterable<T> | Iterable<T>,
  limiter: AnyLimiter<L>,
  options: PacedOptions<L>,
): AsyncIterableIterator<T>;
export function paced<const L extends Limits>(
  source: WebStream | AsyncIterable<unknown> | Iterable<unknown>,
  limiter: AnyLimiter<L>,
  options: PacedOptions<L>,
): unknown {
  const settings = checkedPaced(limiter.limits, options as PacedOptions);
  const pieces = new PacedIterator(sourceOf(source), limiter, settings);
  return isWebStream(source) ? webStreamOf(pieces) : pieces;
}
