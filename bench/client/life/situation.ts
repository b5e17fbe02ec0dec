/** What a row of this bench is: a server, what a client wants of it, what is measured. */
import type { Call, Seen } from "../../../packages/spillway/test/servers/life/measures.ts";
import type { Server } from "../../../packages/spillway/test/servers/life/models.ts";
import type { PeerName } from "./contenders.ts";

/** A request as a server has seen it. */
export type SeenRequest = Seen & {
  /** Tokens that it really uses. 1 where it does not say. */
  readonly cost: number;
};

/** One request: `key` is its account, `timeout` in milliseconds. */
export type Wish = {
  readonly path?: string;
  readonly key?: string;
  readonly timeout?: number;
  /** Makes it a POST with an estimate of its tokens. */
  readonly tokens?: { readonly estimate: number; readonly actual: number };
};

/** What came of it: the server's side and the caller's. */
export type Lived = { readonly seen: readonly SeenRequest[]; readonly calls: readonly Call[] };

/** In percent, or in times of something. */
export type Shares = { readonly [what: string]: number };

export type Place = {
  /** Milliseconds that the situation lasts; what happens in it happens at parts of these. */
  readonly lasting: number;
  readonly port: number;
};

export type Situation = {
  readonly name: string;
  readonly server: (place: Place) => Server;
  /** Requests a second. */
  readonly wanted: number;
  readonly wish?: (random: () => number) => Wish;
  /** What the best other client for it is. */
  readonly peer: PeerName;
  /** What the peer has to be given: requests a second. */
  readonly rate?: number;
  /** How long a request may wait for its turn, in milliseconds. Default: that of `limitedFetch`. */
  readonly wait?: number;
  readonly measure: (lived: Lived, lasting: number) => Shares;
};

/** Milliseconds of a whole row. */
export const LASTING = 55_000;
