/** A limit that there isn't: what the error costs, which says what may have been meant. */
import { performance } from "node:perf_hooks";
import { type Limits, RateLimiter } from "spillway";
import { groupOf } from "../rows.ts";
import { type Contestant, interleave } from "../run.ts";
import type { Part } from "./part.ts";

const SIZES = [10_000, 10] as const;
const ROUNDS = 9;
const CALLS = 200;

export const names: Part = {
  name: "unknown names",
  async measure(progress) {
    const title = "an unknown name, µs until the error is thrown";
    const contestants = [...SIZES.map(unknownAmong), error()];
    const measured = await interleave(contestants, { title, rounds: ROUNDS, progress });
    return [groupOf(title, measured, { figure: "us", unit: "µs" })];
  },
};

function unknownAmong(count: number): Contestant<{ readonly us: number }> {
  const limit = { kind: "token bucket", rate: 10, period: "1h" } as const;
  const limits: Limits = Object.fromEntries(
    Array.from({ length: count }, (_, n) => [`domain_${n}_requests`, limit]),
  );
  const limiter = new RateLimiter(limits);
  return throwing(`an unknown name, among ${count}`, (n) => limiter.limit(`domain-${n}_requests`));
}

function error(): Contestant<{ readonly us: number }> {
  return throwing("new Error", (n) => {
    throw new Error(`there is no domain-${n}_requests`);
  });
}

function throwing(name: string, call: (n: number) => unknown): Contestant<{ readonly us: number }> {
  return {
    name,
    async measure() {
      let thrown = 0;
      const start = performance.now();
      for (let n = 0; n < CALLS; n++) {
        try {
          call(n);
        } catch {
          thrown++;
        }
      }
      if (thrown < CALLS) throw new Error(`${name} knows what there isn't`);
      return { us: ((performance.now() - start) * 1000) / CALLS };
    },
  };
}
