/** Creates web streams, and detects their end. */

/** The used part of a `ReadableStream`. */
export type WebStream = {
  getReader(): {
    read(): Promise<{ readonly done: boolean; readonly value?: unknown }>;
    cancel(reason?: unknown): Promise<unknown>;
  };
};

type Controller = { enqueue(chunk: unknown): void; close(): void; error(reason: unknown): void };

/** The source of a stream. */
type StreamSource = {
  pull(controller: Controller): Promise<void>;
  cancel(reason: unknown): unknown;
};

declare const ReadableStream: new (
  source: StreamSource,
  strategy: { readonly highWaterMark: number },
) => WebStream;

/** Returns a stream that reads from its source only on demand. */
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
   * Whether `cancel` returns without waiting for the underlying stream. If so, the underlying
   * stream is also cancelled once the observed stream can no longer be read.
   */
  readonly letsGo: boolean;
};

/** Returns the same stream, which also reports its end. */
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
 * A body that can no longer be read is over when it is garbage collected, as with `fetch` itself. A
 * timeout could not distinguish it from a body whose client is slow. Without a
 * `FinalizationRegistry`, it ends with the request.
 */
const collected = /* @__PURE__ */ registry();

function registry() {
  if (typeof FinalizationRegistry === "undefined") return undefined;
  return new FinalizationRegistry((end: () => void) => end());
}
