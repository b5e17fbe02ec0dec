/** Reads the chunks of a stream or an iterator, and creates web streams. */
import {
  badObject,
  notify,
  type StopSignal,
  type WebStream,
  webStream,
} from "../../internal/index.ts";

/** A source of chunks, one after the other. */
export type ChunkSource = {
  /** Returns the next chunk. Rejects with the source's error, or with the signal's reason. */
  next(
    signal: StopSignal,
  ): Promise<{ readonly done?: boolean | undefined; readonly value?: unknown }>;
  /** Stops the source. */
  cancel(reason: unknown): void;
};

/** Whether a value is a web stream. Pure. */
export function isWebStream(source: unknown): source is WebStream {
  return typeof (source as Partial<WebStream> | undefined)?.getReader === "function";
}

/** @throws SpillwayError `bad-option` if the value is not a source */
export function sourceOf(source: unknown): ChunkSource {
  if (isWebStream(source)) {
    const reader = source.getReader();
    return {
      next: (signal) => unlessAborted(reader.read(), signal),
      cancel: (reason) => notify((why) => reader.cancel(why), reason),
    };
  }
  const iterator = iteratorOf(source);
  const destroy = (source as { destroy?: () => unknown }).destroy;
  return {
    next: async (signal) => unlessAborted(Promise.resolve(iterator.next()), signal),
    cancel() {
      // A stream of Node does not return while it waits for data, so it is destroyed.
      if (typeof destroy === "function") notify(() => destroy.call(source), undefined);
      notify(() => iterator.return?.(), undefined);
    },
  };
}

function iteratorOf(source: unknown): AsyncIterator<unknown> | Iterator<unknown> {
  const { [Symbol.asyncIterator]: later, [Symbol.iterator]: now } = Object(source);
  const begin = typeof source === "string" ? undefined : (later ?? now);
  if (typeof begin === "function") return begin.call(source);
  throw badObject(
    "source",
    source,
    "a ReadableStream, a Readable, or anything that can be iterated",
  );
}

/**
 * Rejects if the signal aborts first.
 *
 * Not `Promise.race`, which would keep each of its promises as long as the signal exists.
 */
function unlessAborted<T>(promise: Promise<T>, signal: StopSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop);
    const settle = () => signal.removeEventListener("abort", stop);
    promise.then(resolve, reject).then(settle);
  });
}

/** An iterator of pieces that can be stopped with a reason. */
export type Pieces = AsyncIterableIterator<unknown> & { cancel(reason: unknown): void };

/** Returns a web stream of an iterator's pieces. It reads nothing ahead. */
export function webStreamOf(pieces: Pieces): WebStream {
  return webStream({
    async pull(controller) {
      const { done, value } = await pieces.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => pieces.cancel(reason),
  });
}
