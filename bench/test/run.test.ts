import { describe, expect, test } from "vitest";
import { interleave } from "../run.ts";

describe("interleave", () => {
  test("takes turns, and counts no warm-up", async () => {
    const turns: string[] = [];
    const contestants = ["one", "other"].map((name) => ({
      name,
      async measure() {
        turns.push(name);
        const isWarmUp = turns.length <= 2;
        return { first: isWarmUp ? 1e9 : 10, second: -1 };
      },
    }));
    const lines: string[] = [];
    const settings = { title: "speed", rounds: 3, progress: (line: string) => lines.push(line) };
    const measured = await interleave(contestants, settings);
    expect(turns.join(" ")).toBe("one other one other one other one other");
    expect(measured.get("one")).toEqual(
      Array.from({ length: 3 }, () => ({ first: 10, second: -1 })),
    );
    expect(lines).toHaveLength(4);
    expect(lines[3]).toBe("speed, round 3 of 3: one 10.0 / -1.00, other 10.0 / -1.00");
  });
});
