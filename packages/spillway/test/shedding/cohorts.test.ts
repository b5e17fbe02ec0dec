/** Who can tell which cohort a name is in: everybody, or who knows the secret. */
import { describe, expect, test } from "vitest";
import { Cohorts } from "../../src/shedding/cohorts.ts";
import {
  type AdaptiveShedderOptions,
  type Admission,
  adaptiveShedder,
  utilizationShedder,
} from "../../src/shedding/index.ts";
import { seededRandom } from "../../src/testing/index.ts";
import { fresh } from "./adaptive-scene.ts";
import { ManualScheduler } from "./manual-scheduler.ts";

const ONE = "a secret of the fleet's";
const OTHER = "a secret of another's";
const HOUR = 3_600_000;
const USERS = Array.from({ length: 20_000 }, (_, user) => `user ${user}`);
const tally = { signalFailed: () => expect.unreachable() };

/** The cohort of each user, as a process finds it that has started just now. */
function cohortsOf(secret: string | undefined, hour = 0): readonly number[] {
  const clock = () => hour * HOUR;
  const cohorts = new Cohorts({ random: seededRandom(1), clock, tally, secret });
  return USERS.map((cohort) => cohorts.levelOf({ priority: "critical", cohort }));
}

/** What part of the users is in the same half of the cohorts by both. */
function agreement(some: readonly number[], others: readonly number[]): number {
  const same = some.filter((one, user) => one < 64 === (others[user] as number) < 64);
  return same.length / USERS.length;
}

/** How often each of the 128 cohorts is hit, as the χ² of an even spread: 127 give or take 16. */
function unevenness(cohorts: readonly number[]): number {
  const counts = new Array<number>(128).fill(0);
  for (const cohort of cohorts) counts[cohort] = (counts[cohort] as number) + 1;
  const expected = USERS.length / 128;
  return counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
}

describe.each([ONE, undefined])("with the secret %o", (secret) => {
  test("two processes find the same cohorts, and spread users evenly over them", () => {
    expect(cohortsOf(secret)).toEqual(cohortsOf(secret));
    expect(unevenness(cohortsOf(secret))).toBeLessThan(220);
  });

  test("what is known of an hour says nothing of the next", () => {
    expect(cohortsOf(secret, 0.99)).toEqual(cohortsOf(secret, 0));
    expect(agreement(cohortsOf(secret, 0), cohortsOf(secret, 1))).toBeCloseTo(0.5, 1);
  });
});

test.each([OTHER, undefined, `${ONE} `, ONE.toUpperCase()])(
  "cohorts under another secret say nothing of them: %o",
  (other) => expect(agreement(cohortsOf(ONE), cohortsOf(other))).toBeCloseTo(0.5, 1),
);

test("neither a longer name nor a lone surrogate is another name's double", () => {
  const cohorts = new Cohorts({ random: seededRandom(1), clock: () => 0, tally, secret: ONE });
  const placesOf = (names: readonly string[]) =>
    new Set(names.map((cohort) => cohorts.levelOf({ priority: "low", cohort })));
  expect(placesOf(USERS.slice(0, 200).map((_, at) => "\0".repeat(at))).size).toBeGreaterThan(90);
  const surrogates = USERS.slice(0, 200).map((_, at) => String.fromCharCode(0xd800 + at));
  expect(placesOf(surrogates).size).toBeGreaterThan(90);
});

const SOME = USERS.slice(0, 200);

/** The share of the times that each user was admitted, where half of the work has to go. */
type Overloaded = (secret: string | undefined) => Promise<readonly number[]>;

/** Twice as much is asked as can be done: 200 ask each second, and 100 pieces of work end. */
const adaptive: Overloaded = async (secret) => {
  const all = fresh({ least: 2, most: 2, ...(secret !== undefined && { secret }) });
  const times = SOME.map(() => 0);
  const inFlight: Admission[] = [];
  const ends = async () => {
    while (inFlight.length > 0) inFlight.pop()?.done();
    await all.scheduler.advance(20);
  };
  for (let second = 0; second < 30; second++) {
    for (const [user, cohort] of SOME.entries()) {
      Promise.resolve(all.shedder.admit({ cohort })).then((admission) => {
        if (!admission.ok) return;
        inFlight.push(admission);
        if (second >= 10) times[user] = (times[user] as number) + 1 / 20;
      });
      if (user % 4 === 3) await ends();
    }
  }
  return times;
};

/** The signal rises until a half is refused, and stays between the watermarks then. */
const byUtilization: Overloaded = async (secret) => {
  const scheduler = new ManualScheduler();
  let utilization = 1;
  const shedder = utilizationShedder({
    ...{ grace: 0, span: 10_000, window: 1000, scheduler, clock: () => 0 },
    ...{ signal: () => utilization, random: seededRandom(1) },
    ...(secret !== undefined && { secret }),
  });
  const askAll = () => SOME.map((cohort) => shedder.admit({ cohort }).ok);
  for (let second = 0; second < 6; second++) {
    askAll();
    scheduler.burn(1000);
  }
  utilization = 0.75;
  askAll();
  return askAll().map(Number);
};

describe.each([
  ["adaptiveShedder", adaptive],
  ["utilizationShedder", byUtilization],
])("%s, where half of the work has to go", (_, admittedBy) => {
  test("other users are admitted under another secret, the same under one", async () => {
    const staying = async (secret: string | undefined) =>
      (await admittedBy(secret)).map((share) => share > 0.5);
    const one = await staying(ONE);
    expect(one.filter(Boolean).length / SOME.length).toBeGreaterThan(0.25);
    expect(one.filter(Boolean).length / SOME.length).toBeLessThan(0.75);
    const alike = (others: readonly boolean[]) =>
      one.filter((stays, user) => stays === others[user]).length / SOME.length;
    expect(alike(await staying(ONE))).toBe(1);
    for (const secret of [OTHER, undefined])
      expect(alike(await staying(secret))).toBeLessThan(0.75);
  });
});

test.each([
  ["adaptiveShedder", (options: AdaptiveShedderOptions) => adaptiveShedder(options)],
  ["utilizationShedder", (options: AdaptiveShedderOptions) => utilizationShedder(options)],
])("%s: a secret that can be guessed is refused, and not shown", (_, make) => {
  for (const secret of ["", "fifteen letters", 7, null, {}]) {
    const act = () => make({ secret } as never);
    expect(act).toThrow(expect.objectContaining({ code: "bad-option", field: "secret" }));
    expect(act).toThrow("a text of at least 16 characters");
    expect(act).not.toThrow("fifteen letters");
  }
  expect(() => make({ secret: "sixteen letters!" })).not.toThrow();
});
