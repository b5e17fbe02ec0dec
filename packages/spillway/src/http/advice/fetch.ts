/** What is needed of `fetch` and of its answers, in any runtime. */
import type { ReadableHeaders } from "./answer-headers.ts";

/** What is needed of a `Response`. */
export type ClientResponse = {
  readonly status: number;
  readonly headers: ReadableHeaders;
  /** Where it came from, after redirects. */
  readonly url?: string;
  /** Whether a redirect was followed on the way. */
  readonly redirected?: boolean;
  readonly body?: unknown;
};

/** A function like `fetch`: the runtime's own, undici's, or one that wraps it. */
export type Fetch = (input: never, init?: never) => Promise<ClientResponse>;
