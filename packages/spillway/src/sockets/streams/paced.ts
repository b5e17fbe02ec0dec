/** Slows streams to the rate of a limit. */
import type { WebStream } from "../../internal/index.ts";
import type { AnyLimiter } from "../../limiter/index.ts";
import type { Limits } from "../../limits/core/index.ts";
import { PacedIterator } from "./paced-iterator.ts";
import { checkedPaced, type PacedOptions } from "./paced-options.ts";
import { isWebStream, sourceOf, webStreamOf } from "./sources.ts";

/**
 * Lets a stream pass no faster than a limit allows.
 *
 * It returns a web stream for a web stream. For anything else that can be iterated, such as a
 * `Readable`, it returns an async iterator, which `pipeline` and `Readable.from` accept.
 *
 * Nothing is read ahead: while units are waited for, the source is not read, which slows it down.
 * Chunks larger than the limit's capacity come in pieces of that size. Errors pass through. If the
 * reader stops, the source is stopped.
 *
 * With an iterator, `pipeline` notices the end of its reader only between two pieces. If pieces may
 * wait, wrap the iterator in `Readable.from`.
 *
 * @throws SpillwayError `bad-option`, `unknown-field`, `unknown-limit`, `wrong-kind`, `bad-wait`.
 * While the stream is read: `RateLimitError` if a piece would wait too long; `bad-option` for
 * chunks that are not bytes.
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
