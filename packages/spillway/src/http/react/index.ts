/** A React hook that shows what is left of a limit. */
export { type UsedLimit, useLimit } from "./use-limit.ts";
