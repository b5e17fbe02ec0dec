/** When an answer is over: its body has been read, or given up. */
import type { ClientResponse } from "../../http/advice/index.ts";
import { observed, type WebStream } from "../../internal/index.ts";

declare const Response: new (
  body: WebStream,
  init: Partial<ClientResponse>,
) => ClientResponse & object;
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
  const body = response.body as Partial<WebStream> | null | undefined;
  if (typeof body?.getReader !== "function") {
    end();
    return response;
  }
  const watched = observed(body as WebStream, { over: end, see, letsGo: true });
  return withOrigin(copyOf(watched, response) as R, response);
}

/** Servers answer with statuses, such as 999, with which no program can make a response. */
function copyOf(body: WebStream, response: ClientResponse): ClientResponse {
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
