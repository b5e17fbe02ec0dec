/** The arithmetic of limits: pure steps, for those who write a store. */
export { OVERFLOW } from "./overflow.ts";
export * from "./public.ts";
export { MOST_SHARES } from "./shares.ts";
export { greatestDivisor } from "./ticks.ts";
