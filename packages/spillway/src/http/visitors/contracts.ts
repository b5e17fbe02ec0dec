/** What is said of visitors who have no name, and what is known of them. */
import type { RateName } from "../../limiter/index.ts";
import type { Clock, Decision, Duration, Limits } from "../../limits/core/index.ts";
import type { CookieOptions } from "./cookies.ts";
import type { SigningKeys } from "./key-ring.ts";

/** What is needed of a request. */
export type VisitorRequest = {
  /** Its `Cookie` header. */
  readonly cookie: string | null | undefined;
  /** Where it came from, as far as that can't be forged: `client.address` of a route, or an IP address. */
  readonly address: string;
};

/** The same with what its sender says about a challenge. */
export type ProofRequest = VisitorRequest & { readonly solution: string };

/** Checks what a visitor has answered to a challenge, such as a CAPTCHA. */
export type Challenge = (
  solution: string,
  client: { readonly address: string },
) => boolean | Promise<boolean>;

/** What is known of who has sent a request. */
export type Visitor = {
  /** 22 characters; undefined where the address has used up its new ids, or accepts no cookies. */
  readonly id: string | undefined;
  /** Whether a challenge was solved for it. */
  readonly proved: boolean;
  /** Whose budget the request uses: the id where it is proved, and else the address. */
  readonly key: string;
  /** The address as a key; IPv6 by its /64. */
  readonly address: string;
  /** To be sent as `Set-Cookie`; undefined where there is nothing to set. */
  readonly setCookie: string | undefined;
  /** Why there is no new id: what the limit has answered. */
  readonly refused: Decision | undefined;
};

/** Settings of `Visitors`. */
export type VisitorsOptions<L extends Limits = Limits> = {
  /** The secrets by which ids are signed. */
  readonly keys: SigningKeys;
  /** The limit of new ids, by address. */
  readonly newIds: RateName<L>;
  /** The limit of ids for solved challenges, by address. Needed where there is a `challenge`. */
  readonly proofs?: RateName<L>;
  /** A limit of both, by a larger network: who has a /48 has 65 536 networks of 64 bits. */
  readonly network?: { readonly limit: RateName<L>; readonly ipv6Prefix: number };
  /** Checks solutions. Default: none is right. */
  readonly challenge?: Challenge;
  /** How long its answer is waited for, in milliseconds, to an hour. Default: 10 000. */
  readonly timeout?: number;
  /** How long an id holds: milliseconds or text. Default: `"1d"`. */
  readonly maxAge?: Duration;
  /** By how much the clocks of servers may differ, in milliseconds. Default: 60 000. */
  readonly skew?: number;
  readonly cookie?: CookieOptions;
  /** Returns the time. Default: the machine's clock. */
  readonly clock?: Clock;
};
