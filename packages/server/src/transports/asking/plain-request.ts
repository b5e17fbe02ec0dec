/** Reads requests that have one meaning, whichever server reads them, and refuses all others. */
import { type NormalRequest, normalRequest, type RequestHead } from "../../rules/index.ts";
import { RequestError } from "../../service/index.ts";

/**
 * Returns a request with its path in the normal spelling. `place` says where the path was found.
 *
 * @throws RequestError `bad-request` if the path has several meanings
 */
export function plainRequest(head: RequestHead, place = "the request"): NormalRequest {
  const request = normalRequest(head);
  if (request !== undefined) return request;
  throw badRequest(
    `Found a path in ${place} with control characters, invalid escapes, or more than one ` +
      "meaning, expected one that every server reads alike",
  );
}

/**
 * Returns a header's value. Of a repeated one, some servers read the first value, others the last
 * or all together, so a client could have a budget for each repetition. HTTP/2 may split cookies.
 *
 * @throws RequestError `bad-request` if it is repeated
 */
export function plainHeader(
  name: string,
  values: readonly string[] | undefined,
): string | undefined {
  if (values === undefined || values.length < 2) return values?.[0];
  if (name === "cookie") return values.join("; ");
  throw badRequest(`Found the header ${name} more than once, expected one value`);
}

/** Refuses a request that servers could read in different ways. */
export function badRequest(detail: string): RequestError {
  return new RequestError({ status: 400, code: "bad-request", detail });
}
