import { abandon, type Random } from "../limits/core/index.ts";
import { checkFunction } from "./check-options.ts";

/** The runtime's own source of random numbers: good for jitter, not for secrets. */
export const systemRandom: Random = () => Math.random();

/**
 * Wraps a program's source of random numbers so that it never fails.
 *
 * If a call throws, or does not return a number from 0 to 1, the runtime's source is used instead.
 * Random numbers only spread load, often in a timer whose errors nothing handles. No answer depends
 * on them.
 *
 * @throws SpillwayError `bad-option` if it is not a function.
 */
export function checkedRandom(random: Random = systemRandom): Random {
  checkFunction("random", random);
  return random === systemRandom ? random : () => drawn(random);
}

function drawn(random: Random): number {
  try {
    const draw: unknown = random();
    if (typeof draw === "number" && draw >= 0 && draw <= 1) return draw;
    abandon(draw);
  } catch {
    // Foreign code may throw anything.
  }
  return systemRandom();
}
