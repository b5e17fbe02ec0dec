import type { Pool } from "pg";
import type { Contender } from "../load.ts";

/** One way of counting in Postgres, or of asking it for nothing. */
export type PostgresContender<A = unknown> = Contender<Pool, A>;
