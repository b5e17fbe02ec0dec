/** What every transport asks of the service, and what the service answers. */
import type { Decision, JointDecision } from "spillway";
import type { Entry, Match } from "../rules/index.ts";

/** One thing that a caller wants to do. */
export type Descriptor = {
  readonly entries: readonly Entry[];
  /** Units to take: a whole number. Default: the count of the request. */
  readonly count?: number | undefined;
};

/** A request to limit, check or reset what its descriptors lead to. */
export type LimitRequest = {
  readonly domain: string;
  readonly descriptors: readonly Descriptor[];
  /** Units to take for each descriptor that names no count: a whole number. Default: 1. */
  readonly count?: number | undefined;
};

/** The rule for one descriptor, and its decision. */
export type Outcome = Match & {
  /** The units asked for. */
  readonly count: number;
  readonly decision: Decision;
};

/** The response to a request. */
export type LimitResponse = {
  /** When it was made, in milliseconds since 1970. */
  readonly now: number;
  /** The joint decision of all limits; undefined where no limit was asked. */
  readonly joint: JointDecision | undefined;
  /** One for each descriptor, in order; undefined where no rule matches it. */
  readonly outcomes: readonly (Outcome | undefined)[];
};
