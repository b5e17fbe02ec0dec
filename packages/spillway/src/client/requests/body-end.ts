/** Detects the end of a response: its body has been read, has failed, or is cancelled. */
import type { ClientResponse } from "../../http/advice/index.ts";
import { observed, type WebStream } from "../../internal/index.ts";

declare const Response: new (
  body: WebStream,
  init: Partial<ClientResponse>,
) => ClientResponse & object;
/**
 * Returns the same response, which calls `end` when its body has been read, has failed, or is
 * cancelled.
 *
 * If it has no body, or one that is not a stream, `end` is called at once.
 *
 * @param see Receives each chunk of the body as it is read.
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

/**
 * Copies a response, with another body. Servers send statuses, such as 999, that the constructor of
 * `Response` refuses.
 */
function copyOf(body: WebStream, response: ClientResponse): ClientResponse {
  const { status, headers } = response;
  if (status >= 200 && status <= 599) return new Response(body, response);
  const copy = new Response(body, { headers });
  return Object.defineProperties(copy, { status: { value: status }, ok: { value: false } });
}

/**
 * Copies the fields that report the origin of a response, such as `url`, which a copied response
 * lacks.
 */
export function withOrigin<R extends ClientResponse>(copy: R, original: R): R {
  for (const field of ["url", "redirected", "type"] as const) {
    Object.defineProperty(copy, field, { value: (original as Record<string, unknown>)[field] });
  }
  return copy;
}
