/** The timers of a limiter. */
import { type CallTimer, callTimer } from "../internal/index.ts";
import { afterDelay, alarm } from "../limits/core/index.ts";

/** What the calls of a limiter wait by; it keeps no program from ending. */
export const renewalTimer = (): CallTimer => callTimer(afterDelay);

/** The same for those who wait, for whom the program goes on. */
export const waiterTimer = (): CallTimer => callTimer(alarm);
