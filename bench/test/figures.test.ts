import { PRIORITIES } from "spillway/shedding";
import { expect, test } from "vitest";
import { FIGURES, type Seen } from "../shedding/figures.ts";
import {
  fits,
  momentsOf,
  type Part,
  pacesOf,
  phasesOf,
  type Situation,
} from "../shedding/situation.ts";
import { SITUATIONS } from "../shedding/situations.ts";
import type { Counts, Second } from "../shedding/tally.ts";
import { DECK, dealer, deckOf, lognormal, MIXED } from "../shedding/works/deck.ts";

const ROOM = 100;

function situationOf(...parts: readonly Part[]): Situation {
  const rest = { clients: "closing", work: "fixed", warmUp: 3, contenders: [] } as const;
  return { name: "any", ...rest, parts };
}

/** A second in which each priority had the same. */
function secondOf(counts: Partial<Counts>): Second {
  const each = { sent: 0, served: 0, shed: 0, failed: 0, ...counts };
  const groups = [...PRIORITIES, "health"].map((group) => [group, each]);
  return Object.fromEntries(groups) as Second;
}

function figure(name: string, seen: Pick<Seen, "situation"> & { seconds: readonly Second[] }) {
  const observation = { seconds: seen.seconds, p99: 5, late: 1, unsent: 0 };
  const found = FIGURES.find((each) => each.name === name);
  return found?.of({ situation: seen.situation, observation, room: ROOM });
}

const BUSY: Part = { seconds: 6, load: 2 };
const QUIET: Part = { seconds: 5, load: 0.5, isAfter: true };

test("goodput is what was served of the room where more came than that, and of what came otherwise", () => {
  const busy = { situation: situationOf(BUSY), seconds: [secondOf({ sent: 50, served: 20 })] };
  expect(figure("goodput", busy)).toBe(0.8);
  const quiet = situationOf({ seconds: 6, load: 0.5 });
  const seconds = [secondOf({ sent: 10, served: 10 })];
  expect(figure("goodput", { situation: quiet, seconds })).toBe(1);
});

test("a smaller room counts as such", () => {
  const situation = situationOf({ seconds: 1, load: 0.7, roomShare: 0.1 });
  expect(figure("goodput", { situation, seconds: [secondOf({ sent: 70, served: 1 })] })).toBe(0.4);
});

test("what is said of later seconds leaves the first ones out, and what comes after an overload", () => {
  const good = secondOf({ sent: 50, served: 25 });
  const bad = secondOf({ sent: 50, served: 0, failed: 50 });
  const situation = situationOf(BUSY, QUIET);
  const seconds = [bad, bad, bad, good, good, good, bad, bad, bad, bad, bad];
  expect(figure("goodput", { situation, seconds })).toBe(0.5);
  expect(figure("goodput from second 5", { situation, seconds })).toBe(1);
  expect(figure("critical", { situation, seconds })).toBe(0.25);
  expect(figure("critical from second 3", { situation, seconds })).toBe(0.5);
  expect(figure("failed though it fitted", { situation, seconds })).toBe(1);
});

test("nothing has to fit before three seconds after an overload", () => {
  const moments = momentsOf(situationOf(BUSY, QUIET));
  expect(moments.map(({ isCalm }) => isCalm)).toEqual([
    ...Array.from({ length: 9 }, () => false),
    true,
    true,
  ]);
  const calm = momentsOf(situationOf(QUIET));
  expect(calm.every(({ isCalm }) => isCalm)).toBe(true);
  const refused = secondOf({ sent: 10, shed: 10 });
  const seconds = Array.from({ length: 9 }, () => refused);
  const rest = [secondOf({ sent: 10, shed: 1, served: 9 }), secondOf({ sent: 10, served: 10 })];
  const seen = { situation: situationOf(BUSY, QUIET), seconds: [...seconds, ...rest] };
  expect(figure("refused though it fitted", seen)).toBe(0.05);
});

test("a load is the half before, and then its parts times the room", () => {
  const slow = { seconds: 1, load: 0.7, roomShare: 0.1 };
  const streams = { path: "/stream", rate: 5 };
  const situation = situationOf({ ...BUSY, streams }, slow);
  const phases = phasesOf(situation, ROOM);
  expect(phases.map(({ ms, rate }) => [ms, rate])).toEqual([
    [3000, 50],
    [6000, 205],
    [1000, 70],
  ]);
  expect(phases[1]?.streams).toEqual(streams);
  expect(pacesOf(situation).map(({ share }) => share)).toEqual([1, 1, 0.1]);
});

test("situations have names of their own, and a control each", () => {
  expect(new Set(SITUATIONS.map(({ name }) => name)).size).toBe(SITUATIONS.length);
  for (const { contenders, name } of SITUATIONS) {
    expect([name, contenders[0]]).toEqual([name, "spillway adaptive"]);
  }
  for (const { parts } of SITUATIONS.filter(({ parts }) => parts.some((part) => part.isAfter))) {
    expect(parts.filter((part) => part.isAfter).every((part) => fits(part))).toBe(true);
  }
});

test("a deck costs what it has to, and is dealt out before it is shuffled again", () => {
  const deck = deckOf(lognormal, { mean: 5 });
  expect(deck.reduce((sum, each) => sum + each) / DECK).toBeCloseTo(5);
  for (const cards of [deck, MIXED]) {
    const deal = dealer(cards);
    const first = Array.from({ length: DECK }, deal);
    expect(first.toSorted()).toEqual(cards.toSorted());
    const second = Array.from({ length: DECK }, deal);
    expect(second.toSorted()).toEqual(cards.toSorted());
    expect(second).not.toEqual(first);
  }
});
