import type { Redis } from "ioredis";
import type { Contender } from "../load.ts";

/** One way of counting in Redis. */
export type RedisContender<A = unknown> = Contender<Redis, A>;
