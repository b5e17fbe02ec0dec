/** What every transport asks of the service, and what the service answers. */
import type { Decision, JointDecision, Value } from "spillway";
import type { Entry, Rule, Rules } from "../rules/index.ts";

/** One thing that a caller wants to do. */
export type Descriptor = {
  readonly entries: readonly Entry[];
  /** Units to take: a whole number. Default: the count of the request. */
  readonly count?: number | undefined;
  /**
   * Take units ahead of time that are not there yet, up to the rule's `max_reserved`. Default: what the
   * request says.
   */
  readonly reserve?: boolean | undefined;
  /** Give units back instead: what was taken, never more. */
  readonly refund?: boolean | undefined;
  /** A limit that the caller brings along, in place of any rule. */
  readonly limit?: GivenLimit | undefined;
};

/** So many units in each window of a period. */
export type GivenLimit = {
  readonly rate: number;
  /** Milliseconds. */
  readonly period: number;
};

/** A request to limit, check or reset what its descriptors lead to. */
export type LimitRequest = {
  readonly domain: string;
  readonly descriptors: readonly Descriptor[];
  /** Units to take for each descriptor that names no count: a whole number. Default: 1. */
  readonly count?: number | undefined;
  /** For each descriptor that doesn't say: whether to take units ahead of time. Default: no. */
  readonly reserve?: boolean | undefined;
};

/** What its descriptors lead to, whatever is to be done there. */
export type KeyRequest = {
  readonly domain: string;
  readonly descriptors: readonly Pick<Descriptor, "entries">[];
};

/** Estimates that were taken, and what was really used. */
export type SettleRequest = {
  readonly domain: string;
  readonly descriptors: readonly (Pick<Descriptor, "entries"> & {
    /** Units that were taken: a whole number up to a billion. */
    readonly reserved: number;
    /** Units that were used, of which the same holds. */
    readonly used: number;
  })[];
};

/** Whose requests are to be refused, and how long. */
export type BlockRequest = KeyRequest & {
  /** Milliseconds, from 1 to 366 days. */
  readonly for: number;
};

/** What is left. */
export type ValuesResponse = {
  /** One for each descriptor, in order; undefined where no rule matches it. */
  readonly values: readonly (Value | undefined)[];
};

/** A request once more, with the lease that it was given. */
export type LeaseRequest = LimitRequest & {
  /** The name of the lease. */
  readonly lease: string;
};

/** What became of a lease. */
export type LeaseResponse = {
  /** Whether all of it was still held: not where it was released before, or its time was over. */
  readonly held: boolean;
  /** Milliseconds from the request for which a lease that was renewed lasts. */
  readonly ttl: number | undefined;
};

/** What a refusal by a rule means: the request's, nobody's, or that of one of several quotas. */
export type Role = "must" | "shadow" | "quota";

/** The rule for one descriptor, and its decision. */
export type Outcome = {
  readonly rule: Rule;
  /** Whose budget; undefined where the rule has one for all. */
  readonly key: string | undefined;
  /** The units asked for. */
  readonly count: number;
  readonly role: Role;
  /** The decision of the rule's limit, or of one above it that also applies and refuses. */
  readonly decision: Decision;
  /** The rule whose limit decided. */
  readonly decidedBy: Rule;
};

/** What holds the units of concurrency limits that a request has taken. */
export type HeldLease = {
  /** Names it to `renew` and `release`; nobody else can guess it. */
  readonly name: string;
  /** Milliseconds from the request until it is over, unless it is renewed. */
  readonly ttl: number;
};

/** The response to a request. */
export type LimitResponse = {
  /** When it was made, in milliseconds since 1970. */
  readonly now: number;
  /** All decisions as one; undefined where no limit was asked. */
  readonly joint: JointDecision | undefined;
  /** One for each descriptor, in order; undefined where no rule matches it. */
  readonly outcomes: readonly (Outcome | undefined)[];
  /** Whether limits refuse it, and it passes because all of the service is in shadow mode. */
  readonly isSpared: boolean;
  /** What holds units of concurrency limits until it is released; undefined where nothing is held. */
  readonly lease: HeldLease | undefined;
};

/** A request that has been decided, for those who count. */
export type Decided = {
  readonly verb: "limit" | "check" | "acquire";
  readonly request: LimitRequest;
  readonly response: LimitResponse;
  /** The rules that decided. */
  readonly rules: Rules;
  /** Whether nothing is enforced. */
  readonly isShadow: boolean;
};

/** Receives what has been decided, before the caller does. It must not throw. */
export type OnDecided = (decided: Decided) => void;
