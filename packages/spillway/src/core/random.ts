/** A source of chance: numbers from 0 up to, but not including, 1. */
export type Random = () => number;

/** The runtime's own source: good for jitter, not for secrets. */
export const systemRandom: Random = () => Math.random();
