/** Names the route of a request, by its method and a template of its path. */
import type { ClientRequest } from "../requests/request.ts";

/**
 * The maximum number of segments of a path that count; and the maximum number of characters of a
 * segment that is not an id.
 */
const MOST_SEGMENTS = 8;
const LONGEST_SEGMENT = 24;
/** A segment with a digit is an id, unless it is a version. */
const ID = /\d/;
const VERSION = /^v\d{1,3}$/;

/** Returns the name of a route, such as `GET /users/{}/items`. Pure. */
export function routeOf({
  method,
  url,
  origin,
}: Pick<ClientRequest, "method" | "url" | "origin">): string {
  const start = url.startsWith(origin) ? origin.length : 0;
  const end = url.slice(start).search(/[?#]/);
  const path = end < 0 ? url.slice(start) : url.slice(start, start + end);
  const segments = path.split("/", MOST_SEGMENTS + 1).slice(1);
  return `${method} /${segments.map((each) => (isId(each) ? "{}" : each)).join("/")}`;
}

function isId(segment: string): boolean {
  return segment.length > LONGEST_SEGMENT || (ID.test(segment) && !VERSION.test(segment));
}
