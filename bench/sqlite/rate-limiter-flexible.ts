import BetterSqlite3 from "better-sqlite3";
import { RateLimiterSQLite } from "rate-limiter-flexible";
import { AMPLE } from "../ample.ts";
import type { Contender } from "./contender.ts";

type Answer = { readonly remainingPoints: number };

/** A fixed window in `RateLimiterSQLite`. A refusal is a rejected promise, which ends the run. */
export const rateLimiterFlexible: Contender<Answer> = {
  name: "rate-limiter-flexible",
  async open(path) {
    const database = new BetterSqlite3(path);
    // As this project's store sets it, so that both write as much.
    database.pragma("journal_mode = wal");
    database.pragma("synchronous = normal");
    const limiter = await ready(database);
    return (key) => limiter.consume(key);
  },
  isDue: ({ remainingPoints }) => remainingPoints >= 0,
};

function ready(database: BetterSqlite3.Database): Promise<RateLimiterSQLite> {
  const { promise, resolve, reject } = Promise.withResolvers<RateLimiterSQLite>();
  const { capacity, period } = AMPLE;
  const options = {
    storeClient: database,
    storeType: "better-sqlite3",
    tableName: "limits",
    points: capacity,
    duration: period / 1000,
  };
  const limiter = new RateLimiterSQLite(options, (error) =>
    error ? reject(error) : resolve(limiter),
  );
  return promise;
}
