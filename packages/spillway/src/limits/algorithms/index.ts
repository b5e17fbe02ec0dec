/** The arithmetic of limits: pure steps, for authors of stores. */
export { OVERFLOW } from "./overflow.ts";
export * from "./public.ts";
export { MOST_SHARES } from "./shares.ts";
export { greatestDivisor } from "./ticks.ts";
