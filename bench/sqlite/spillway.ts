/** This project's store: over each driver, refusing, looking, and with three limits at once. */
import { DatabaseSync } from "node:sqlite";
import BetterSqlite3 from "better-sqlite3";
import { DAY, type Decision, RateLimiter } from "spillway";
import { type SqliteDatabase, sqliteStore } from "spillway/sqlite";
import { AMPLE } from "../ample.ts";
import type { Contender } from "./contender.ts";

const LIMITS = {
  hourly: AMPLE,
  daily: { ...AMPLE, rate: 10_000, period: DAY },
  weekly: { ...AMPLE, rate: 50_000, period: 7 * DAY },
  once: { kind: "token bucket", rate: 1, period: 30 * DAY },
} as const;

/** A machine that is busy elsewhere is not what is measured. */
const PATIENT = { busyTimeout: 60_000 };

function limiterOn(database: SqliteDatabase) {
  return new RateLimiter(LIMITS, { store: sqliteStore(database, PATIENT) });
}

function isAdmitted({ ok, degraded }: Decision): boolean {
  return ok && !degraded;
}

export const spillway: Contender<Decision> = {
  name: "spillway",
  async open(path) {
    const limiter = limiterOn(new DatabaseSync(path));
    return (key) => limiter.limit("hourly", { key });
  },
  isDue: isAdmitted,
};

export const overBetterSqlite3: Contender<Decision> = {
  name: "spillway, better-sqlite3",
  async open(path) {
    const limiter = limiterOn(new BetterSqlite3(path));
    return (key) => limiter.limit("hourly", { key });
  },
  isDue: isAdmitted,
};

/** Each key has used the one unit of its month when it is asked for. */
export const refusing: Contender<Decision> = {
  name: "spillway (refused)",
  async open(path) {
    const limiter = limiterOn(new DatabaseSync(path));
    return (key) => {
      const decision = limiter.limit("once", { key });
      return decision.ok ? limiter.limit("once", { key }) : decision;
    };
  },
  isDue: ({ ok, reason }) => !ok && reason === "limited",
};

/** A check takes no lock. */
export const looking: Contender<Decision> = {
  name: "spillway check",
  async open(path) {
    const limiter = limiterOn(new DatabaseSync(path));
    return (key) => limiter.check("hourly", { key });
  },
  isDue: isAdmitted,
};

/** All or none of three limits of one key, in one decision. */
export const threeLimits: Contender<Decision> = {
  name: "three limits",
  async open(path) {
    const limiter = limiterOn(new DatabaseSync(path));
    return (key) =>
      limiter.limitAll([
        { limit: "hourly", key },
        { limit: "daily", key },
        { limit: "weekly", key },
      ]);
  },
  isDue: isAdmitted,
};
