/**
 * Preloaded into programs whose output must not depend on how busy the machine is: their clock takes a thousand times
 * as long as the machine's, so that nothing is refilled meanwhile, and so do their timeouts.
 */
const SLOWER = 1000;

const { now } = Date;
const start = now();
Date.now = () => start + Math.floor((now() - start) / SLOWER);

const { timeout } = AbortSignal;
AbortSignal.timeout = (ms) => timeout.call(AbortSignal, ms * SLOWER);
