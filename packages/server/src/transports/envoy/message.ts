/** The messages of Envoy's rate limit service, for both transports. */
import type { RuleMetadata } from "../../rules/index.ts";

/** Envoy's units by number; 0 means no unit. */
export const UNIT_NAMES = [
  "UNKNOWN",
  "SECOND",
  "MINUTE",
  "HOUR",
  "DAY",
  "MONTH",
  "YEAR",
  "WEEK",
] as const;
export type UnitName = (typeof UNIT_NAMES)[number];

export type EntryMessage = { readonly key: string; readonly value: string };

export type LimitMessage = { readonly requestsPerUnit: number; readonly unit: UnitName };

export type DescriptorMessage = {
  readonly entries: readonly EntryMessage[];
  readonly limit: LimitMessage | undefined;
  /** A number up to 2⁶⁴, as exact as a double; undefined if it is missing. */
  readonly hitsAddend: number | undefined;
  readonly isNegativeHits: boolean;
};

export type RequestMessage = {
  readonly domain: string;
  readonly descriptors: readonly DescriptorMessage[];
  readonly hitsAddend: number;
};

export type Code = "OK" | "OVER_LIMIT";

export type CurrentLimit = {
  readonly requestsPerUnit: number;
  readonly unit: UnitName;
  readonly name: string;
};

export type StatusMessage = {
  readonly code: Code;
  readonly currentLimit: CurrentLimit | undefined;
  readonly limitRemaining: number;
  /** Seconds; undefined if the limit is never reset. */
  readonly durationUntilReset: number | undefined;
};

export type HeaderMessage = { readonly key: string; readonly value: string };

export type ResponseMessage = {
  readonly overallCode: Code;
  readonly statuses: readonly StatusMessage[];
  readonly responseHeadersToAdd: readonly HeaderMessage[];
  readonly dynamicMetadata: RuleMetadata | undefined;
};
