/** The stores on the servers that the environment names. */
import { Redis } from "ioredis";
import pg from "pg";
import { postgresStore } from "spillway/postgres";
import { redisStore } from "spillway/redis";

/** Milliseconds: a machine that is busy is no outage. */
const deadline = 30_000;

const client = new Redis(process.env.REDIS_URL ?? "", { autoResendUnfulfilledCommands: false });
export const redis = redisStore(client, { deadline });

const pool = new pg.Pool({ connectionString: process.env.POSTGRES_URL });
export const postgres = postgresStore(pool, { deadline });
