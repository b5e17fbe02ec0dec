import type { Contender } from "./contender.ts";

/** Takes whatever comes. */
export const none: Contender = { open: (_scope, work) => () => work() };
