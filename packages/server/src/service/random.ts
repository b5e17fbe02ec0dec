import { randomInt } from "node:crypto";
import type { Random } from "spillway";

/** The number of different random values: each is a multiple of 1 / STEPS. */
const STEPS = 2 ** 32;

/** The machine's source of randomness, which can't be predicted. */
export const systemRandom: Random = () => randomInt(STEPS) / STEPS;
