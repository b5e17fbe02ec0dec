/**
 * Tells how busy something has been since it was last asked: 0 is idle, 1 is as busy as it can be.
 *
 * Undefined where there is nothing to tell yet. One that throws, or tells what is no number, is
 * taken for one that has nothing to tell.
 */
export type Signal = () => number | undefined;
