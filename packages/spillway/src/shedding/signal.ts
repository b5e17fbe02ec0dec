/**
 * Returns how busy something was since the last call: 0 is idle, 1 is as busy as it can be.
 *
 * Undefined if there is no value yet. A signal that throws, or returns no finite number from 0 up,
 * counts as one without a value.
 */
export type Signal = () => number | undefined;
