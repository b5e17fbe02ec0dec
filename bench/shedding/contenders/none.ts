import type { Contender } from "./contender.ts";

/** Takes whatever comes. */
export const none: Contender = {};

/** The same behind a Fastify route. */
export const noneOnFastify: Contender = { guard: () => {} };
