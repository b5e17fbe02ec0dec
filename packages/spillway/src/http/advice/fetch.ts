/** The used parts of `fetch` and its responses, in any runtime. */
import type { ReadableHeaders } from "./answer-headers.ts";

/** The used part of a `Response`. */
export type ClientResponse = {
  readonly status: number;
  readonly headers: ReadableHeaders;
  /** The URL of the response, after redirects. */
  readonly url?: string;
  /** Whether a redirect was followed. */
  readonly redirected?: boolean;
  readonly body?: unknown;
};

/** A function like `fetch`: the runtime's, undici's, or one that wraps it. */
export type Fetch = (input: never, init?: never) => Promise<ClientResponse>;
