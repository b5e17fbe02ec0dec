/** Who is asked, in the order in which tables show them; the first is what the others are held to. */
import type { PostgresContender } from "./contender.ts";
import { selectOne, selectOneInTx } from "./plain.ts";
import { rateLimiterFlexible } from "./rate-limiter-flexible.ts";
import {
  hotKey,
  hotShards,
  oneStatementPerAsk,
  spillway,
  threeLimits,
  withinTx,
} from "./spillway.ts";

/** With many calls in flight. */
export const crowd: readonly PostgresContender[] = [
  spillway,
  rateLimiterFlexible,
  oneStatementPerAsk,
  selectOne,
  threeLimits,
  withinTx,
  selectOneInTx,
];

/** All on one key. */
export const hot: readonly PostgresContender[] = [hotShards, hotKey];

/** With one. */
export const queue: readonly PostgresContender[] = [
  spillway,
  selectOne,
  selectOneInTx,
  rateLimiterFlexible,
  withinTx,
];
