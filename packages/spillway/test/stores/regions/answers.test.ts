import { expect, test } from "vitest";
import { decide, planFor } from "../../../src/limits/algorithms/index.ts";
import { State } from "../../../src/limits/core/index.ts";
import { served } from "../../../src/stores/regions/answers.ts";

test("what the near region refuses the second time stays refused, whatever is held", () => {
  const plan = planFor("it", { kind: "token bucket", rate: 4, period: 1000 });
  const ask = { plan, key: "k", count: 5, reserve: false };
  const decision = decide(new State(), plan, ask, 0);
  expect(decision.ok).toBe(false);
  const wants = [{ ask, decision, lack: 1 }];
  expect(served(wants, [decision])[0]?.ok).toBe(false);
  expect(served(wants, [{ ...decision, ok: true }])[0]?.ok).toBe(true);
});
