/** What a lender is to hear of units that it lent: owed, possibly lent, and used. */
import { expect, test } from "vitest";
import { planFor } from "../../../src/limits/algorithms/index.ts";
import type { AnswerTo, Command, CommandOf, Store } from "../../../src/limits/core/index.ts";
import { lent } from "../../../src/stores/index.ts";
import { Draws } from "../../../src/stores/lending/draws.ts";
import { Loan } from "../../../src/stores/lending/loan.ts";
import { Readings } from "../../../src/stores/lending/readings.ts";
import { memoryStore } from "../../../src/stores/memory/index.ts";
import { manualClock, seededRandom } from "../../../src/testing/index.ts";

const WINDOW = { kind: "fixed window", rate: 1000, period: "1d" } as const;
const plan = planFor("it", { ...WINDOW, share: "1m" });
const budgets = [{ plan, key: "k" }] as const;
const [budget] = budgets;
const asked = { ...budget, count: 1, reserve: false };

test("what is owed goes back with a draw that offers what is held", () => {
  const at = (ms: number) => ({ elapsed: ms, wall: ms });
  const loan = new Loan(budget);
  loan.accept(loan.draw({ id: 1, want: 4 }, at(0)).id, { units: 4, lasts: 60_000, unlisted: [] });
  loan.failed(loan.draw({ id: 2, want: 4 }, at(10)).id);
  const { back } = loan.draw({ id: 3, want: 4, isOffered: true }, at(20));
  expect(back.map(({ id }) => id).sort()).toEqual([1, 2]);
});

test("a draw that was answered without the store has failed", () => {
  const clock = manualClock();
  const base = memoryStore({ clock });
  const degraded = (drawn: AnswerTo<CommandOf<"draw">>) => ({
    decision: { ...drawn.decision, degraded: true },
    lent: { units: 0, lasts: 0, unlisted: [] },
  });
  const execute = (command: CommandOf<"draw">) => degraded(base.execute(command));
  const lender = { timing: "now", execute } as Store<"now">;
  const heard: string[] = [];
  const borrower = {
    loan: new Loan(budget),
    drawn: () => void heard.push("drawn"),
    failed: () => void heard.push("failed"),
  };
  const draws = new Draws({
    readings: new Readings(clock, clock),
    random: seededRandom(1),
    onDrawn: (_, __, decision) => decision,
    onExpired: () => {},
  });
  draws.draw(borrower, { lender, want: 5 });
  expect(heard).toEqual(["failed"]);
  expect(borrower.loan.owes).toBe(true);
  expect(borrower.loan.hasNews).toBe(true);
});

test("what several limits took of what is held is reported before it is settled", () => {
  const clock = manualClock();
  const base = memoryStore({ clock });
  const sent: string[] = [];
  const execute = (command: Command) => {
    sent.push(command.verb);
    return base.execute(command);
  };
  const remote = { timing: "now", execute } as Store<"now">;
  const scheduler = { elapsed: clock, afterDelay: () => {} };
  const store = lent(remote, { clock, scheduler, warn: () => {} });
  for (let left = 30; left > 0; left--) store.limit?.(asked);
  const settle = () =>
    store.execute({ verb: "settle", budgets, settlement: { reserved: 1, used: 0 } });
  settle();
  sent.length = 0;
  store.execute({ verb: "limit", budgets: [asked, { ...asked, plan: planFor("other", WINDOW) }] });
  settle();
  expect(sent).toEqual(["limit", "draw", "settle"]);
});

test("under a definition that is retired nothing is lent any more, to no key", () => {
  const clock = manualClock();
  const base = memoryStore({ clock });
  const sent: string[] = [];
  const execute = (command: Command) => {
    sent.push(command.verb);
    return base.execute(command);
  };
  const remote = { timing: "now", execute } as Store<"now">;
  const scheduler = { elapsed: clock, afterDelay: () => {} };
  const store = lent(remote, { clock, scheduler, warn: () => {} });
  store.lending?.retire?.([plan]);
  for (let left = 30; left > 0; left--) store.limit?.(asked);
  expect(sent).toEqual(Array(30).fill("limit"));
  expect(store.lending?.numbers().keys).toBe(0);
});
