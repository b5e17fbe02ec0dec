/**
 * Tells the time: whole milliseconds since 1970 UTC.
 *
 * It may step back or jump ahead; the laws hold all the same.
 */
export type Clock = () => number;

/** The machine's own clock. */
export const systemClock: Clock = () => Date.now();
