/** A limit and overrides of one key, told apart by every number of a decision. */
import type { Decision, TokenBucket } from "../../../src/limits/core/index.ts";

const HOUR = 3_600_000;

export const LIMIT = { kind: "token bucket", rate: 10, capacity: 20, period: HOUR } as const;

/** Each has another rate for its capacity than the limit and the other one. */
export const OVERRIDES = [
  { rate: 90, capacity: 60 },
  { rate: 700, capacity: 140 },
] as const;

const DEFINITIONS: readonly Pick<TokenBucket, "rate" | "capacity">[] = [LIMIT, ...OVERRIDES];

/** What a decision says of the definition that made it. */
export type Seen = Pick<Decision, "capacity" | "remaining" | "resetAfter"> & {
  readonly overridden: boolean;
};

/** Whether one definition, and no mixture of two, can have made a decision. */
export function isOfOne({ capacity, remaining, resetAfter, overridden }: Seen): boolean {
  const made = DEFINITIONS.find((definition) => definition.capacity === capacity);
  if (made === undefined || overridden !== (capacity !== LIMIT.capacity)) return false;
  const perUnit = HOUR / made.rate;
  const used = capacity - remaining;
  // Part of a unit may be back already. A key with nothing left may owe more than the capacity.
  const isEnough = resetAfter > (used - 1) * perUnit - 1;
  return isEnough && (remaining === 0 || resetAfter < used * perUnit + 1);
}
