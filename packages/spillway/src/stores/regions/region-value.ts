import type { Budget, RegionPart, Value } from "../../limits/core/index.ts";
import type { ClockReading } from "../lending/readings.ts";
import type { BorrowedKey } from "./borrowed-key.ts";
import type { RegionLayout } from "./region-layout.ts";

type RegionValueInput = {
  readonly budget: Budget;
  /** The value of the near region. */
  readonly value: Value;
  readonly layout: RegionLayout;
  readonly key: BorrowedKey | undefined;
  readonly now: ClockReading;
  readonly skews: ReadonlyMap<string, number>;
};

/**
 * Combines what a key has left here, what is held of other regions, and their last reports. Pure.
 */
export function regionValue({ budget, value, layout, key, now, skews }: RegionValueInput): Value {
  const held = key?.held(now) ?? 0;
  const near: RegionPart = {
    region: layout.near.name,
    capacity: value.capacity,
    remaining: value.remaining,
    age: 0,
    held: 0,
    clock: 0,
  };
  const far = layout.far.map((place): RegionPart => {
    const part = key?.parts.find((one) => one.place === place);
    const isKnown = part?.left !== undefined;
    return {
      region: place.name,
      capacity: layout.part(budget, place).plan.capacity,
      remaining: part?.left,
      age: isKnown ? Math.max(0, Math.round(now.elapsed - part.leftAt)) : Infinity,
      held: part?.loan.holder.units ?? 0,
      clock: skews.get(place.name),
    };
  });
  const { capacity } = budget.plan;
  const remaining = Math.min(capacity, value.remaining + held);
  return { ...value, capacity, remaining, regions: [near, ...far] };
}
