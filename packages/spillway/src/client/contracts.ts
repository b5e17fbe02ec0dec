/** What is needed of `fetch` and of what it takes and gives, in any runtime. */

import type { ReadableHeaders } from "../http/advice/advice.ts";
import type { StopSignal } from "../internal/index.ts";

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

/** What is read of the second argument of `fetch`. */
export type Init = {
  readonly method?: string | undefined;
  readonly body?: unknown;
  readonly headers?: unknown;
  readonly signal?: StopSignal | null | undefined;
};

/** What is read of the first, where it is a `Request`. */
export type RequestLike = Init & {
  readonly url: string;
  readonly headers: ReadableHeaders;
  readonly bodyUsed?: boolean;
  clone(): RequestLike;
};
