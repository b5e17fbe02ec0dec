/** What is read of the arguments of `fetch`, in any runtime. */
import type { ReadableHeaders } from "../../http/advice/index.ts";
import type { StopSignal } from "../../internal/index.ts";

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
