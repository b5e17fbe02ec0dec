/** What is left of a limit, in React. */
export { type UsedLimit, useLimit } from "./use-limit.ts";
