import { afterDelay, afterTurn, alarm, elapsed, type Scheduler } from "../limits/core/index.ts";

/** What the runtime offers for waiting, all of it together. */
export const systemScheduler: Scheduler = { afterDelay, alarm, afterTurn, elapsed };
