import type { StopSignal } from "../../limiter/index.ts";
import type { Client } from "./client.ts";
import type { RouteDecision } from "./route.ts";

/** What an adapter knows of a request beside what it can read. */
export type Entering = {
  /** Aborts when the client goes away; for a shedder. */
  readonly signal?: StopSignal | undefined;
  /** What an earlier route has decided on the same request. */
  readonly previous?: RouteDecision | undefined;
  /** The other end of the connection, where the request does not tell it. */
  readonly peer?: () => string | undefined;
};

/** A request that has arrived. */
export type Entrance<R> = Entering & { readonly request: R; readonly client: Client };
