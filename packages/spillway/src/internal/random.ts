import type { Random } from "../core/index.ts";

/** The runtime's own source: good for jitter, not for secrets. */
export const systemRandom: Random = () => Math.random();
