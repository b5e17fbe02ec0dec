/** Streams of the web, as far as they are needed here: read, made, and watched until they end. */

/** The used part of a `ReadableStream`. */
export type WebStream = {
  getReader(): {
    read(): Promise<{ readonly done: boolean; readonly value?: unknown }>;
    cancel(reason?: unknown): Promise<unknown>;
  };
};

type Controller = { enqueue(chunk: unknown): void; close(): void; error(reason: unknown): void };

/** Where a stream comes from. */
type StreamSource = {
  pull(controller: Controller): Promise<void>;
  cancel(reason: unknown): unknown;
};

declare const ReadableStream: new (
  source: StreamSource,
  strategy: { readonly highWaterMark: number },
) => WebStream;

/** A stream that reads nothing before it is wanted. */
export function webStream(source: StreamSource): WebStream {
  return new ReadableStream(source, { highWaterMark: 0 });
}

/** Observes a stream. */
export type StreamObserver = {
  /** Called at least once, when the stream was read to its end, has failed, or was cancelled. */
  readonly over: (finished: boolean) => void;
  /** Receives each chunk when it is read. */
  readonly see?: ((chunk: unknown) => void) | undefined;
  /**
   * Whether a cancel does not wait for the underlying stream. That is then also cancelled once the
   * observed stream can no longer be read.
   */
  readonly letsGo: boolean;
};

/** The same stream, which reports its end. */
export function observed(body: WebStream, { over, see, letsGo }: StreamObserver): WebStream {
  const reader = body.getReader();
  const pull = async (controller: Controller) => {
    try {
      const { done, value } = await reader.read();
      if (!done) {
        see?.(value);
        return controller.enqueue(value);
      }
      over(true);
      controller.close();
    } catch (error) {
      over(false);
      controller.error(error);
    }
  };
  const cancel = (reason: unknown) => {
    over(false);
    const cancelled = reader.cancel(reason);
    return letsGo ? void cancelled.catch(() => {}) : cancelled;
  };
  const source = { pull, cancel };
  collected?.register(
    source,
    letsGo ? () => cancel("the body has been collected as garbage") : () => over(false),
  );
  return webStream(source);
}

/**
 * A body that nobody reads, nor can read any more, is over when it is collected as garbage, as with
 * `fetch` itself. No timeout could distinguish it from one whose client is slow. Where a runtime
 * has no such registry, its end is that of the request.
 */
const collected =
  typeof FinalizationRegistry === "undefined"
    ? undefined
    : new FinalizationRegistry((end: () => void) => end());
