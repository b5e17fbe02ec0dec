import { RateLimiterPostgres, type RateLimiterRes } from "rate-limiter-flexible";
import { AMPLE } from "../ample.ts";
import type { PostgresContender } from "./contender.ts";

const TABLE = "rate_limiter_flexible";

/** A fixed window in `RateLimiterPostgres`, in an unlogged table like this project's. */
export const rateLimiterFlexible: PostgresContender<RateLimiterRes> = {
  name: "rate-limiter-flexible",
  async open(pool) {
    await pool.query(
      `create unlogged table if not exists ${TABLE} (key varchar(255) primary key, points integer not null default 0, expire bigint)`,
    );
    const { capacity, period } = AMPLE;
    const limiter = new RateLimiterPostgres({
      storeClient: pool,
      tableName: TABLE,
      tableCreated: true,
      points: capacity,
      duration: period / 1000,
    });
    return (key) => limiter.consume(key);
  },
  admits: ({ remainingPoints }) => remainingPoints >= 0,
};
