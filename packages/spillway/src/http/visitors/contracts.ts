/** The options and results of `Visitors`, which identifies visitors without accounts. */
import type { RateName } from "../../limiter/index.ts";
import type { Clock, Decision, Duration, Limits } from "../../limits/core/index.ts";
import type { CookieOptions } from "./cookies.ts";
import type { SigningKeys } from "./key-ring.ts";

/** The used part of a request. */
export type VisitorRequest = {
  /** The request's `Cookie` header. */
  readonly cookie: string | null | undefined;
  /**
   * The client's address, as far as it can't be forged: `client.address` of a route, or an IP
   * address.
   */
  readonly address: string;
};

/** A request with the sender's solution of a challenge. */
export type ProofRequest = VisitorRequest & { readonly solution: string };

/** Checks a visitor's solution of a challenge, such as a CAPTCHA. */
export type Challenge = (
  solution: string,
  client: { readonly address: string },
) => boolean | Promise<boolean>;

/** The sender of a request, as far as it is known. */
export type Visitor = {
  /**
   * 22 characters; undefined if there is none, as when the address has used up its new ids.
   *
   * A client without cookies soon uses them up.
   */
  readonly id: string | undefined;
  /** Whether a challenge was solved for the id. */
  readonly proved: boolean;
  /** The key of the budget that the request uses: the id if it is proved, otherwise the address. */
  readonly key: string;
  /** The address as a key; IPv6 by its /64. */
  readonly address: string;
  /** The value to send as `Set-Cookie`; undefined if there is nothing to set. */
  readonly setCookie: string | undefined;
  /** The decision that refused a new id; undefined if none was refused. */
  readonly refused: Decision | undefined;
};

/** Options of `Visitors`. */
export type VisitorsOptions<L extends Limits = Limits> = {
  /** The secrets that sign ids. */
  readonly keys: SigningKeys;
  /** The limit of new ids, by address. */
  readonly newIds: RateName<L>;
  /** The limit of ids for solved challenges, by address. Required with `challenge`. */
  readonly proofs?: RateName<L>;
  /**
   * A limit of new ids and proofs together, by a larger network of `ipv6Prefix` bits, from 32 to
   * 64.
   *
   * The owner of a /48 has 65 536 networks of 64 bits.
   */
  readonly network?: { readonly limit: RateName<L>; readonly ipv6Prefix: number };
  /** Checks solutions. Default: no solution is right. */
  readonly challenge?: Challenge;
  /**
   * How long to wait for the challenge's answer, in milliseconds: 1 to an hour. Default: 10 000.
   */
  readonly timeout?: number;
  /** How long an id is valid: a second to 366 days, as milliseconds or text. Default: `"1d"`. */
  readonly maxAge?: Duration;
  /**
   * By how much the clocks of servers may differ, in milliseconds: 0 to an hour. Default: 60 000.
   */
  readonly skew?: number;
  readonly cookie?: CookieOptions;
  /** Returns the time. Default: the machine's clock. */
  readonly clock?: Clock;
};
