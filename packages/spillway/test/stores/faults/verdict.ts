/** What has to hold, whatever the fault. */
import { expect } from "vitest";
import type { Phase } from "./clients/protocol.ts";
import { unexpected } from "./expected-warnings.ts";
import { BUCKET, degradedIn, LIMITS, LOG } from "./fault.ts";
import type { Outcome } from "./outcome.ts";

export function expectHeld(outcome: Outcome): void {
  for (const { errors } of outcome.reports) expect(unexpected(errors)).toEqual([]);
  for (const limit of outcome.limits) expectBound(outcome, limit);
  for (const phase of outcome.phases("during")) expectPolicy(outcome, phase);
  if (outcome.fault.whenUnavailable === "local") expectShares(outcome);
}

/** Never more than the bound; and what was charged is what was admitted, or lost with an answer. */
function expectBound(outcome: Outcome, limit: string): void {
  const { admitted, charged, most, capacity } = outcome.account(limit);
  const { bound, failed } = outcome.fault;
  if (bound === "one more capacity") {
    expect(admitted).toBeLessThanOrEqual(most + capacity);
    return;
  }
  expect(admitted).toBeLessThanOrEqual(most);
  expect(Number.isInteger(charged)).toBe(true);
  expect(charged).toBeGreaterThanOrEqual(admitted);
  expect(charged - admitted).toBeLessThanOrEqual(failed === "undone" ? 0 : outcome.unknown);
}

/** Who got no answer from the store got one by policy; and an outage was not asked into. */
function expectPolicy({ fault }: Outcome, phase: Phase): void {
  const { whenUnavailable = "closed", outage } = fault;
  for (const { degraded } of phase.tallies) {
    const { unavailable = 0, ...others } = degraded.refused;
    if (whenUnavailable !== "open" && whenUnavailable !== "local")
      expect(degraded.admitted).toBe(0);
    if (whenUnavailable !== "closed") expect(unavailable).toBe(0);
    if (whenUnavailable !== "local") expect(others).toEqual({});
  }
  if (!outage) return;
  expect(phase.cutOff).toBe(true);
  expect(phase.events.failed).toBeLessThan(degradedIn(phase) / 10);
}

/** Each process may have admitted its part of the limits, by itself. */
function expectShares(outcome: Outcome): void {
  const instances = outcome.reports.length;
  for (const { phases } of outcome.reports) {
    const all = Object.values(phases);
    const ms = all.reduce((sum, phase) => sum + phase.ms, 0);
    const admitted = (limit: string) => admittedBlindly(all, limit);
    const { capacity, rate, period } = LIMITS[BUCKET];
    const dripped = (rate * ms) / (period * instances);
    const share = Math.floor(capacity / instances);
    expect(admitted(BUCKET)).toBeGreaterThanOrEqual(share);
    expect(admitted(BUCKET)).toBeLessThanOrEqual(share + dripped);
    expect(admitted(LOG)).toBe(Math.floor(LIMITS[LOG].rate / instances));
  }
}

function admittedBlindly(phases: readonly Phase[], limit: string): number {
  const all = phases.flatMap(({ tallies }) => tallies);
  const some = all.filter(({ asking }) => asking.limit === limit);
  return some.reduce((sum, { degraded }) => sum + degraded.admitted, 0);
}
