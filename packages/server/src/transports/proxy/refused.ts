/** The errors with which the proxy answers by itself. */
import { SECOND } from "spillway/core";
import { refusalHeaders } from "spillway/http";
import type { RequestCode } from "../../error-codes.ts";
import { RequestError } from "../../service/index.ts";

/** Refuses a request whose upstream can't be used now. `code` says why. */
export function upstreamError(code: UpstreamCode): RequestError {
  const { status, detail } = UPSTREAM[code];
  const headers = status === 503 ? refusalHeaders({ retryAfter: SECOND }) : {};
  return new RequestError({ status, code, detail, headers });
}

export type UpstreamCode = Extract<RequestCode, `upstream-${string}` | "stopping">;

/** Details name no machine, because clients read them. The log does. */
const UPSTREAM: {
  readonly [C in UpstreamCode]: { readonly status: number; readonly detail: string };
} = {
  "upstream-failed": {
    status: 502,
    detail:
      "The server behind the proxy can't be reached, or it broke off, and then the request may " +
      "have taken effect",
  },
  "upstream-late": {
    status: 504,
    detail: "The server behind the proxy did not answer in time; the request may have taken effect",
  },
  "upstream-full": {
    status: 503,
    detail: "The servers behind the proxy have as many requests as they may; send it again later",
  },
  stopping: {
    status: 503,
    detail: "The proxy is stopping, and the request took too long; send it again",
  },
};
