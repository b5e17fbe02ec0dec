import { expect } from "vitest";
import { unexpected } from "./expected-warnings.ts";
import type { LeaseOutcome } from "./lease-run.ts";

/** Never more in flight than there may be, and nothing held by nobody for longer than its ttl. */
export function expectLeasesHeld({ fault, capacity, reports, most }: LeaseOutcome): void {
  for (const { errors, phases } of reports) {
    expect(unexpected(errors)).toEqual([]);
    for (const { tallies } of Object.values(phases)) {
      for (const { degraded } of tallies) expect(degraded.admitted).toBe(0);
    }
  }
  expect(most).toBeLessThanOrEqual(fault.bound === "exact" ? capacity : 2 * capacity);
}

/** The outcome as a row of a Markdown table. */
export function leaseRow({ fault, capacity, degraded, asked, back, most }: LeaseOutcome): string {
  const meanwhile = `${degraded} of ${asked} calls refused as \`unavailable\``;
  return `| ${[fault.name, meanwhile, `${most} of ${capacity}`, `${Math.round(back)} ms`].join(" | ")} |`;
}
