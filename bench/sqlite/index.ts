/** Who is asked, in the order in which tables show them; the first is what the others are held to. */
import { bareTransaction } from "./bare.ts";
import type { Contender } from "./contender.ts";
import { rateLimiterFlexible } from "./rate-limiter-flexible.ts";
import { looking, overBetterSqlite3, refusing, spillway, threeLimits } from "./spillway.ts";

export const contenders: readonly Contender[] = [
  spillway,
  overBetterSqlite3,
  rateLimiterFlexible,
  bareTransaction,
  refusing,
  looking,
  threeLimits,
];
