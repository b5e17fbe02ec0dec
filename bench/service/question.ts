/** What the service is asked: for one unit of a key, each of which has more than a run can take. */
import { makeKeys, shuffled } from "../keys.ts";
import type { Asked } from "./load.ts";

const PATH = "/v1/limit";
const DOMAIN = "bench";
const KEY = "user";

export const RULES = `
domain: ${DOMAIN}
descriptors:
  - key: ${KEY}
    rate_limit: { kind: token bucket, unit: hour, requests_per_unit: 1000, capacity: 1000000 }
`;

/** The body of a request for a key. */
export function bodyFor(key: string): string {
  return JSON.stringify({ domain: DOMAIN, descriptors: [{ entries: [{ key: KEY, value: key }] }] });
}

/** Requests for 10 000 keys in a shuffled order. */
export function requests(): readonly Asked[] {
  return shuffled(makeKeys(10_000)).map(bodyFor).map(request);
}

function request(body: string): Asked {
  const fields = `host: localhost\r\ncontent-type: application/json\r\ncontent-length: ${body.length}`;
  return { text: `POST ${PATH} HTTP/1.1\r\n${fields}\r\n\r\n${body}`, status: 200 };
}

/** The route of a server that is reached at a port. */
export function urlAt(port: number): string {
  return `http://127.0.0.1:${port}${PATH}`;
}

export { PATH };
