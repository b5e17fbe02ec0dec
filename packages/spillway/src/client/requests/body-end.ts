/** When an answer is over: its body has been read, or given up. */
import type { ClientResponse } from "../../http/advice/index.ts";

/** What is needed of a `ReadableStream`. */
type Stream = {
  getReader(): {
    read(): Promise<{ readonly done: boolean; readonly value?: unknown }>;
    cancel(reason: unknown): Promise<void>;
  };
};
type Controller = { enqueue(chunk: unknown): void; close(): void; error(reason: unknown): void };

declare const Response: new (
  body: Stream,
  init: Partial<ClientResponse>,
) => ClientResponse & object;
declare const ReadableStream: new (
  source: {
    pull(controller: Controller): Promise<void>;
    cancel(reason: unknown): void;
  },
  strategy: { readonly highWaterMark: number },
) => Stream;

/**
 * The same response, which calls `end` when its body has been read to the end, has failed, or is cancelled. Of
 * a response without a body, or with one that is no stream, that is at once.
 *
 * @param see Receives what is read, as it goes by.
 */
export function endingWith<R extends ClientResponse>(
  response: R,
  end: () => void,
  see?: (chunk: unknown) => void,
): R {
  const body = response.body as Partial<Stream> | null | undefined;
  if (typeof body?.getReader !== "function") {
    end();
    return response;
  }
  const copy = copyOf(observed(body as Stream, end, see), response);
  return withOrigin(copy as R, response);
}

/** Servers answer with statuses, such as 999, with which no program can make a response. */
function copyOf(body: Stream, response: ClientResponse): ClientResponse {
  const { status, headers } = response;
  if (status >= 200 && status <= 599) return new Response(body, response);
  const copy = new Response(body, { headers });
  return Object.defineProperties(copy, { status: { value: status }, ok: { value: false } });
}

/** Says of a copy where its original came from, which copies do not take over. */
export function withOrigin<R extends ClientResponse>(copy: R, original: R): R {
  for (const field of ["url", "redirected", "type"] as const) {
    Object.defineProperty(copy, field, { value: (original as Record<string, unknown>)[field] });
  }
  return copy;
}

function observed(body: Stream, end: () => void, see?: (chunk: unknown) => void): Stream {
  const reader = body.getReader();
  const pull = async (controller: Controller) => {
    try {
      const { done, value } = await reader.read();
      if (!done) {
        see?.(value);
        return controller.enqueue(value);
      }
      end();
      controller.close();
    } catch (error) {
      end();
      controller.error(error);
    }
  };
  const cancel = (reason: unknown) => {
    end();
    reader.cancel(reason).catch(() => {});
  };
  const source = { pull, cancel };
  abandoned?.register(source, () => cancel("the body has been collected as garbage"));
  // Nothing is read before it is wanted.
  return new ReadableStream(source, { highWaterMark: 0 });
}

/** A body that nobody can read any more is cancelled when it is collected, as `fetch` does with its own. */
const abandoned =
  typeof FinalizationRegistry === "undefined"
    ? undefined
    : new FinalizationRegistry((cancel: () => void) => cancel());
