/** The contract of the service, which every transport calls. */

import type { Clock, Random, Store, WhenUnavailable } from "spillway";
import type { MaybePromise } from "spillway/support";
import type { Rules } from "../rules/index.ts";
import type {
  BlockRequest,
  KeyRequest,
  LeaseResponse,
  LimitRequest,
  LimitResponse,
  OnDecided,
  OverrideRequest,
  ReleaseRequest,
  RequestWithLease,
  SettleRequest,
  ValuesResponse,
} from "./contracts.ts";
import type { ModeSwitch } from "./modes/mode-switch.ts";
import type { Execute } from "./remote/execute.ts";
import type { ServiceSettings } from "./settings.ts";

export type ServiceOptions = {
  readonly rules: Rules;
  /** The clock of a store in memory, and of the responses. Default: the machine's clock. */
  readonly clock?: Clock;
  /**
   * The source of randomness for the jitter of rules: from 0 to below 1. Default: the machine's
   * source.
   */
  readonly random?: Random;
  /** The store of all state. Default: the memory of this process. */
  readonly store?: Store;
  /** The answer of limits while a shared store is unavailable. Default: `"closed"`. */
  readonly whenUnavailable?: WhenUnavailable;
  /** Settings for all requests. Default: none. */
  readonly settings?: ServiceSettings;
  /** Called with what `limit`, `check` and `acquire` decide. Default: none. */
  readonly onDecided?: OnDecided | undefined;
  /** Called with the rules in use, at once and after each change. Default: none. */
  readonly onRules?: ((rules: Rules) => void) | undefined;
};

/** The verbs that every transport calls. A domain or a descriptor without rules is not limited. */
export type Service = {
  /** The rules in use. */
  readonly rules: Rules;
  /** The settings for all requests. */
  readonly settings: ServiceSettings;
  /**
   * Takes from every budget that the descriptors lead to: from all of them or from none.
   *
   * With a store in this process the response is returned, otherwise it is promised.
   */
  readonly limit: (request: LimitRequest) => MaybePromise<LimitResponse>;
  /** Returns what `limit` would return, and takes nothing. */
  readonly check: (request: LimitRequest) => MaybePromise<LimitResponse>;
  /**
   * Takes as `limit` does, for requests that meet a concurrency limit. The admitted units are in
   * flight until the lease is released or expires.
   *
   * @throws RequestError `wrong-kind` if all limits that the descriptors lead to are rates.
   */
  readonly acquire: (request: LimitRequest) => MaybePromise<LimitResponse>;
  /**
   * Extends a lease to its full duration from now. Units that the request took from rates stay
   * taken.
   *
   * @throws RequestError `wrong-kind`; SpillwayError `unavailable` if the store gives no answer.
   */
  readonly renew: (request: RequestWithLease) => Promise<LeaseResponse>;
  /** Releases a lease; throws as `renew` does. A second call frees nothing. */
  readonly release: (request: ReleaseRequest) => Promise<LeaseResponse>;
  /**
   * Replaces estimates by the units really used, under all rates of each descriptor.
   *
   * @throws RequestError `wrong-kind`; SpillwayError `unavailable` if the store gives no answer:
   * some may be settled.
   */
  readonly settle: (request: SettleRequest) => Promise<ValuesResponse>;
  /**
   * Reads what is left: of the limits that apply to a descriptor, the tightest.
   *
   * @throws SpillwayError `unavailable` if the store gives no answer.
   */
  readonly value: (request: KeyRequest) => Promise<ValuesResponse>;
  /**
   * Refuses everything on the rules' own budgets for a time. Replaces any earlier block.
   *
   * @throws RequestError `nothing-to-block`; SpillwayError `unavailable`, when some may be blocked.
   */
  readonly block: (request: BlockRequest) => Promise<ValuesResponse>;
  /** Ends blocks. Used units stay used. Throws `unavailable` as `block` does. */
  readonly unblock: (request: KeyRequest) => Promise<ValuesResponse>;
  /** Reads what is left of the rules' own budgets, without the limits above that also apply. */
  readonly ownValue: (request: KeyRequest) => Promise<ValuesResponse>;
  /**
   * Gives the rules' own budgets definitions of their own, for a time. Replaces any earlier
   * override.
   *
   * @throws RequestError `no-overrides`, `bad-override` before any is overridden; SpillwayError
   * `unavailable`, when some may be.
   */
  readonly override: (request: OverrideRequest) => Promise<ValuesResponse>;
  /** Ends overrides. Used units stay used. Throws as `override` does. */
  readonly endOverride: (request: KeyRequest) => Promise<ValuesResponse>;
  /**
   * Forgets what the budgets have used, and returns their state afterwards. Counts are ignored, and
   * limits above that also apply keep what they have used.
   *
   * @throws SpillwayError `unavailable` if the store gives no answer: some may be reset.
   */
  readonly reset: (request: LimitRequest) => Promise<LimitResponse>;
  /**
   * Executes commands on budgets of limits that the caller defines, for programs whose store is
   * this service. These budgets are kept apart from those of rules.
   *
   * @throws RequestError `bad-field` before any command is executed.
   */
  readonly execute: Execute;
  /**
   * Replaces the rules: at the end of this call or, if it returns a promise, when that is resolved.
   *
   * A limit that is in the old and the new rules keeps its used units. If several replacements are
   * pending, the last one wins. If a remote store lends units, units held under definitions that
   * the new rules lack are given back first, which takes at most 250 ms. Otherwise they would count
   * as used under the new definitions.
   */
  readonly replaceRules: (rules: Rules) => MaybePromise<void>;
  /**
   * Prepares new rules as `replaceRules` does, and returns the function that puts them into use.
   * For several services on one store, none of which may begin before all have given back what they
   * hold.
   */
  readonly prepareRules: (rules: Rules) => MaybePromise<() => void>;
  /**
   * Sets the modes that are switched, from the next request on, in place of those set before. They
   * last until the next call: new rules keep them. Reads, resets, blocks and the ends of leases
   * work in every mode.
   */
  readonly setModes: (switches: readonly ModeSwitch[]) => void;
  /** The modes that are switched now. */
  readonly switches: readonly ModeSwitch[];
  /**
   * Whether some decisions are made without the store now. Asks the store at most once a second,
   * and takes nothing.
   */
  readonly isDegraded: () => Promise<boolean>;
};
