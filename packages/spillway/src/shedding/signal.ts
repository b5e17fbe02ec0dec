/**
 * Returns how busy something has been since it was last asked: 0 is idle, 1 is as busy as it can be.
 *
 * Undefined where there is no value yet. One that throws, or returns what is no number, counts as
 * one that has no value.
 */
export type Signal = () => number | undefined;
