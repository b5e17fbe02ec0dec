/** The contract of the service: what every transport calls. */

import type { Clock, Random, Store, WhenUnavailable } from "spillway";
import type { Maybe } from "spillway/support";
import type { Rules } from "../rules/index.ts";
import type {
  BlockRequest,
  KeyRequest,
  LeaseRequest,
  LeaseResponse,
  LimitRequest,
  LimitResponse,
  OnDecided,
  SettleRequest,
  ValuesResponse,
} from "./contracts.ts";
import type { Execute } from "./remote/execute.ts";
import type { Settings } from "./settings.ts";

export type ServiceOptions = {
  readonly rules: Rules;
  /** The clock of a store in memory, and of the responses. Default: the machine's clock. */
  readonly clock?: Clock;
  /** Where the jitter of rules comes from: from 0 to below 1. Default: the machine's source. */
  readonly random?: Random;
  /** Where state lives. Default: in this process's memory. */
  readonly store?: Store;
  /** What limits answer while a shared store gives no answer. Default: `"closed"`. */
  readonly whenUnavailable?: WhenUnavailable;
  /** What holds for all requests. Default: nothing of it. */
  readonly settings?: Settings;
  /** Receives what `limit`, `check` and `acquire` decide. Default: nobody does. */
  readonly onDecided?: OnDecided | undefined;
  /** Receives the rules that are in use, at once and whenever there are others. Default: nobody does. */
  readonly onRules?: ((rules: Rules) => void) | undefined;
};

/** What every transport calls. A domain or a descriptor without rules is not limited. */
export type Service = {
  /** The rules by which requests are decided now. */
  readonly rules: Rules;
  /** What holds for all requests. */
  readonly settings: Settings;
  /**
   * Takes from every budget that the descriptors lead to: from all of them or from none. With a store
   * in this process the response is returned, else it is promised.
   */
  readonly limit: (request: LimitRequest) => Maybe<LimitResponse>;
  /** Answers what `limit` would, and takes nothing. */
  readonly check: (request: LimitRequest) => Maybe<LimitResponse>;
  /**
   * Takes as `limit` does, for requests that meet a concurrency limit: what it admits is in flight
   * until its lease is released, or is over.
   *
   * @throws RequestError `wrong-kind` where all limits that the descriptors lead to are rates.
   */
  readonly acquire: (request: LimitRequest) => Maybe<LimitResponse>;
  /**
   * Lets a lease last for its whole time from now. What the request took of rates stays taken.
   *
   * @throws RequestError `wrong-kind`; SpillwayError `unavailable` where the store gives no answer.
   */
  readonly renew: (request: LeaseRequest) => Promise<LeaseResponse>;
  /** Gives back what a lease holds; throws as `renew` does. Again, it frees nothing. */
  readonly release: (request: LeaseRequest) => Promise<LeaseResponse>;
  /**
   * Replaces estimates that were taken by what was really used, under all rates of each descriptor.
   *
   * @throws RequestError `wrong-kind`; SpillwayError `unavailable` where the store gives no answer:
   *   some may be settled.
   */
  readonly settle: (request: SettleRequest) => Promise<ValuesResponse>;
  /**
   * Reads what is left: of the limits that apply to a descriptor, the tightest.
   *
   * @throws SpillwayError `unavailable` where the store gives no answer.
   */
  readonly value: (request: KeyRequest) => Promise<ValuesResponse>;
  /**
   * Refuses all that meets the rules' own budgets for a time, in place of any earlier block.
   *
   * @throws RequestError `nothing-to-block`; SpillwayError `unavailable`, where some may be blocked.
   */
  readonly block: (request: BlockRequest) => Promise<ValuesResponse>;
  /** Ends blocks. What was used stays. Throws `unavailable` as `block` does. */
  readonly unblock: (request: KeyRequest) => Promise<ValuesResponse>;
  /**
   * Forgets what the budgets have used, and returns their state after that. Counts don't matter, and
   * limits above that also apply keep what they have.
   *
   * @throws SpillwayError `unavailable` where the store gives no answer: some may be forgotten.
   */
  readonly reset: (request: LimitRequest) => Promise<LimitResponse>;
  /**
   * Carries out commands on budgets of limits that the caller defines, which are kept apart from those
   * of rules: for programs whose store is this service.
   *
   * @throws RequestError `bad-field` before any is carried out.
   */
  readonly execute: Execute;
  /**
   * Decides by other rules, from the end of this call or, where it returns a promise, until that is resolved. A
   * limit that both have keeps what was used. Of several that are waited for the last holds.
   *
   * A store across a network that lends units is waited for, for 250 ms at most: what is held under definitions that
   * the new rules don't have goes back first, for under others it would count as used.
   */
  readonly replaceRules: (rules: Rules) => Maybe<void>;
  /**
   * Makes it ready to decide by other rules, as `replaceRules` does, and returns what has it do so: for several
   * services on one store, none of which is to begin before what all of them hold is back.
   */
  readonly prepareRules: (rules: Rules) => Maybe<() => void>;
  /**
   * Whether some decisions are made without the store now. Asks the store, once a second at most, and takes
   * nothing.
   */
  readonly isDegraded: () => Promise<boolean>;
};
