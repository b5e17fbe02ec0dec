import { randomInt } from "node:crypto";
import type { Random } from "spillway";

/** Draws of chance are multiples of a part in so many. */
const STEPS = 2 ** 32;

/** The machine's source of chance, which nobody can foresee. */
export const systemRandom: Random = () => randomInt(STEPS) / STEPS;
