/** The requests and responses of the service, the same for every transport. */
import type { Decision, JointDecision, Value } from "spillway";
import type { DescriptorEntry, Rule, Rules } from "../rules/index.ts";

/** One action that a caller wants to limit. */
export type Descriptor = {
  readonly entries: readonly DescriptorEntry[];
  /** Units to take: a whole number. Default: the count of the request. */
  readonly count?: number | undefined;
  /**
   * Whether to take units ahead of time that are not there yet, up to the rule's `max_reserved`.
   * Default: that of the request.
   */
  readonly reserve?: boolean | undefined;
  /** Whether to give units back instead of taking them. Never gives back more than were taken. */
  readonly refund?: boolean | undefined;
  /** A limit defined by the caller, used in place of any rule. */
  readonly limit?: GivenLimit | undefined;
};

/** A fixed window: a number of units in each period. */
export type GivenLimit = {
  readonly rate: number;
  /** The length of a window, in milliseconds. */
  readonly period: number;
};

/** A request to limit, check or reset the budgets of its descriptors. */
export type LimitRequest = {
  readonly domain: string;
  readonly descriptors: readonly Descriptor[];
  /** Units to take for each descriptor without a count: a whole number. Default: 1. */
  readonly count?: number | undefined;
  /** Whether to take units ahead of time, for descriptors that leave it open. Default: no. */
  readonly reserve?: boolean | undefined;
  /**
   * Whether refusals by concurrency limits have an estimate of the wait. For callers that report
   * with each release how long the lease was held. Default: no.
   */
  readonly estimates?: boolean | undefined;
};

/** Descriptors whose budgets are to be read or changed. */
export type KeyRequest = {
  readonly domain: string;
  readonly descriptors: readonly Pick<Descriptor, "entries">[];
};

/** Estimates, for which units were taken, and the units that were really used. */
export type SettleRequest = {
  readonly domain: string;
  readonly descriptors: readonly (Pick<Descriptor, "entries"> & {
    /** Units that were taken: a whole number up to 10⁹. */
    readonly reserved: number;
    /** Units that were used: a whole number up to 10⁹. */
    readonly used: number;
  })[];
};

/** Descriptors whose budgets are to be blocked, and for how long. */
export type BlockRequest = KeyRequest & {
  /** Milliseconds, from 1 to 366 days. */
  readonly for: number;
};

/** The numbers of an override, which replace those of a rule. */
export type OverrideNumbers = {
  /** Units that come back in the rule's period: from 0 to 10⁹. Default: the rule's. */
  readonly rate?: number;
  /** The most units at once: from 0 to 10⁹. Default: the rule's, or `rate` if its two are equal. */
  readonly capacity?: number;
  /** Whether there is no limit. Not beside `rate` or `capacity`. */
  readonly unlimited?: true;
  /** Milliseconds, from 1 to 366 days. Default: until it is ended. */
  readonly for?: number;
};

/** Descriptors whose budgets are to be overridden. */
export type OverrideRequest = KeyRequest & OverrideNumbers;

/** The values of budgets. */
export type ValuesResponse = {
  /** One for each descriptor, in order; undefined if no rule matches it. */
  readonly values: readonly (Value | undefined)[];
};

/** The request again, with the lease that it was given. */
export type RequestWithLease = LimitRequest & {
  /** The name of the lease. */
  readonly lease: string;
};

/** A lease that ends. */
export type ReleaseRequest = RequestWithLease & {
  /** Milliseconds for which the lease was held, for estimates. Default: unknown. */
  readonly heldFor?: number | undefined;
};

/** The outcome of renewing or releasing a lease. */
export type LeaseResponse = {
  /** Whether the whole lease was still held: false if it was released before, or had expired. */
  readonly held: boolean;
  /**
   * How long a renewed lease lasts, in milliseconds from the request; undefined after a release.
   */
  readonly ttl: number | undefined;
};

/**
 * How a rule's refusal counts: `must` refuses the request, `shadow` refuses nothing, `quota`
 * refuses if all quotas do. A rule that is `off` is not asked.
 */
export type RuleRole = "must" | "shadow" | "quota" | "off";

/** The rule for one descriptor, and its decision. */
export type RuleDecision = {
  readonly rule: Rule;
  /** The budget's key; undefined if the rule has one budget for all. */
  readonly key: string | undefined;
  /** The units asked for. */
  readonly count: number;
  readonly role: RuleRole;
  /** The decision of the rule's limit, or of a limit above that also applies and refuses. */
  readonly decision: Decision;
  /** The rule whose limit decided. */
  readonly decidedBy: Rule;
};

/** The lease on the units of concurrency limits that a request has taken. */
export type HeldLease = {
  /** Identifies the lease for `renew` and `release`. It can't be guessed. */
  readonly name: string;
  /** Milliseconds from the request until the lease expires, unless it is renewed. */
  readonly ttl: number;
};

/** The response to a request. */
export type LimitResponse = {
  /** The time of the decision, in milliseconds since 1970. */
  readonly now: number;
  /** All decisions joined; undefined if no limit applies. */
  readonly joint: JointDecision | undefined;
  /** One for each descriptor, in order; undefined if no rule matches it. */
  readonly outcomes: readonly (RuleDecision | undefined)[];
  /**
   * Whether limits refuse the request, but it is admitted because the whole service is in shadow
   * mode.
   */
  readonly isSpared: boolean;
  /** The lease that holds units of concurrency limits; undefined if none are held. */
  readonly lease: HeldLease | undefined;
};

/** A decided request, for metrics and logs. */
export type DecidedCall = {
  readonly verb: "limit" | "check" | "acquire";
  readonly request: LimitRequest;
  readonly response: LimitResponse;
  /** The rules that decided. */
  readonly rules: Rules;
  /** Whether the service enforces nothing. */
  readonly isShadow: boolean;
};

/** Called with each decided request, before the caller receives the response. It must not throw. */
export type OnDecided = (decided: DecidedCall) => void;
