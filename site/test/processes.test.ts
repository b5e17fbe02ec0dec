/** Processes that share a limit, without their picture. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  isConcurrency,
  PROCESS_PRESETS,
  type ProcessesSetup,
  playProcesses,
  processesAddress,
  processesProgram,
  readProcessesAddress,
  STEP,
  totalsOf,
} from "../model/index.ts";
import { programOutput } from "./run-copied.ts";

const setups: fc.Arbitrary<ProcessesSetup> = fc.record({
  limit: fc.oneof(
    fc.record({
      kind: fc.constant("concurrency" as const),
      capacity: fc.integer({ min: 1, max: 40 }),
      ttl: fc.integer({ min: 1000, max: 20_000 }),
      work: fc.integer({ min: 1, max: 30_000 }),
    }),
    fc.record({
      kind: fc.constant("token bucket" as const),
      rate: fc.integer({ min: 1, max: 60 }),
      period: fc.constantFrom(1000, 7000),
      capacity: fc.integer({ min: 1, max: 200 }),
    }),
  ),
  share: fc.constantFrom(0, 1000, 10_000),
  processes: fc.integer({ min: 1, max: 6 }),
  load: fc.integer({ min: 1, max: 40 }),
  ends: fc.integer({ min: 0, max: 6 }),
  at: fc.integer({ min: 1, max: 59 }),
  givesBack: fc.boolean(),
});

describe("processes", () => {
  it("never hold more than the capacity together, nor admit more than the limit", () => {
    fc.assert(
      fc.property(setups, (setup) => {
        const { rows, left, missing, capacity } = playProcesses(setup);
        const { limit } = setup;
        let admitted = 0;
        for (const [step, free] of left.entries()) {
          const held = rows.reduce((sum, { units }) => sum + (units[step] ?? 0), 0);
          const out = free + held + (missing[step] ?? 0);
          admitted += rows.reduce((sum, row) => sum + (row.admitted[step] ?? 0), 0);
          expect(out).toBeLessThanOrEqual(capacity);
          if (isConcurrency(limit)) {
            // The store keeps what outlives its ttl for as long as its place may be lent.
            if (2 * limit.work < limit.ttl) expect([step, out]).toEqual([step, capacity]);
          } else {
            const most = limit.rate * (((step + 1) * STEP) / limit.period);
            expect(admitted).toBeLessThanOrEqual(capacity + most);
          }
        }
      }),
      { numRuns: 30 },
    );
  });

  it("that are killed lose their leases for as long as the ttl, and no longer", () => {
    const [leases] = PROCESS_PRESETS;
    const setup = leases?.setup as ProcessesSetup;
    const { missing } = playProcesses(setup);
    const killed = (setup.at * 1000) / STEP;
    expect(missing[killed - 2]).toBe(0);
    expect(missing[killed + 2]).toBeGreaterThan(0);
    expect(missing.slice(killed + 10_000 / STEP).every((units) => units === 0)).toBe(true);
  });

  it("that end in time give back at once what they hold", () => {
    const shares = PROCESS_PRESETS.find(({ name }) => name === "Shares, given back")?.setup;
    const { sentences } = playProcesses(shares as ProcessesSetup);
    expect(sentences[1]).toMatch(
      /^Process 2 ends at 20 s: it gives back [1-9]\d* units at once\.$/,
    );
    const killed = playProcesses({ ...(shares as ProcessesSetup), givesBack: false });
    expect(killed.sentences[1]).toContain("they count as used");
  });

  it("have an address that says them all", () => {
    fc.assert(
      fc.property(setups, (setup) => {
        expect(readProcessesAddress(processesAddress(setup))).toEqual({ setup, problems: [] });
      }),
    );
  });

  it.each([
    ["limit=nope", 'limit: the kind "nope" is unknown'],
    ["limit=sliding+log:5/s&share=10s", "share: "],
    ["share=soon", 'share: the time "soon" is not understood'],
    ["processes=7", 'processes: "7", expected a whole number from 1 to 6'],
    ["load=-1", 'load: "-1", expected a whole number from 1 to 200'],
    ["how=shot", 'how: "shot", expected killed or gives back'],
  ])("%s is reported, and can be played", (query, message) => {
    const { setup, problems } = readProcessesAddress(query);
    expect(problems.join()).toContain(message);
    expect(playProcesses(setup).rows.length).toBe(setup.processes);
  });

  const copied: readonly (readonly [string, ProcessesSetup])[] = [
    ...PROCESS_PRESETS.map(({ name, setup }) => [name, setup] as const),
    ...fc
      .sample(setups, { seed: 36, numRuns: 3 })
      .map((setup, at) => [`random ${at}`, setup] as const),
  ];

  it.each(copied)("are a program that prints the same numbers: %s", (_, setup) => {
    const { rows, storeCalls } = playProcesses(setup);
    const lines = rows.map((row) => {
      const { admitted, refused } = totalsOf(row);
      return `${row.name}: ${admitted} admitted, ${refused} refused`;
    });
    expect(programOutput(processesProgram(setup)).split("\n")).toEqual([
      ...lines,
      `${storeCalls} calls to the store`,
    ]);
  });
});
