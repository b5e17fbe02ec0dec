/** What a program does with a reply whose arithmetic is not its own. */
import { expect, test } from "vitest";
import { planFor } from "../../../src/limits/algorithms/index.ts";
import { type Command, State } from "../../../src/limits/core/index.ts";
import { PortError, PortRequest, replay } from "../../../src/stores/index.ts";

test("a reply that has charged otherwise is not believed, and the error says what was counted", () => {
  const plan = planFor("it", { kind: "token bucket", rate: 9, period: "1m", share: "5s" });
  const draw: Command = {
    verb: "draw",
    budgets: [{ plan, key: "k", count: 1, reserve: false }],
    draw: { id: 1, want: 3, left: [], back: [] },
  };
  const request = new PortRequest([draw], () => "k");
  const reply = (charged: number) =>
    replay(request, { now: 0, charged, states: [new State()] }, undefined);
  expect(reply(4)).toMatchObject([{ answer: { decision: { ok: true } } }]);
  expect(() => reply(2)).toThrow(PortError);
  expect(() => reply(2)).toThrow("budgets charged and units lent, together: 2, expected 4");
});
