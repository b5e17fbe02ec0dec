import type { Decision, JointDecision } from "spillway";
import type { Entry, Match } from "../rules/index.ts";

/** One thing that a caller wants to do. */
export type Descriptor = {
  readonly entries: readonly Entry[];
  /** Units to take; goes before the question's. */
  readonly count?: number | undefined;
};

/** What every door asks. */
export type Question = {
  readonly domain: string;
  readonly descriptors: readonly Descriptor[];
  /** Units to take for each descriptor that names no count: a whole number. Default: 1. */
  readonly count?: number | undefined;
};

/** The rule for one descriptor, and what came of it. */
export type Outcome = Match & {
  /** The units asked for. */
  readonly count: number;
  readonly decision: Decision;
};

/** The answer to a question. */
export type Verdict = {
  /** When it was given, in milliseconds since 1970. */
  readonly now: number;
  /** What all limits said together; undefined where none was asked. */
  readonly joint: JointDecision | undefined;
  /** What came of each descriptor, in order; undefined where no rule is for it. */
  readonly outcomes: readonly (Outcome | undefined)[];
};
