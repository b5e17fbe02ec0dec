import { afterDelay, afterTurn, alarm, elapsed, type Scheduler } from "../limits/core/index.ts";

/** The runtime's timers and clock, as a scheduler. */
export const systemScheduler: Scheduler = { afterDelay, alarm, afterTurn, elapsed };
