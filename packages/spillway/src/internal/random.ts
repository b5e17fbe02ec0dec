import { abandon, type Random } from "../limits/core/index.ts";
import { checkFunction } from "./check-options.ts";

/** The runtime's own source: good for jitter, not for secrets. */
export const systemRandom: Random = () => Math.random();

/**
 * A program's source of chance, which can be relied on. Where a draw throws, or is no number from 0
 * to 1, the runtime's own takes its place: chance spreads load, often in a timer that nobody waits
 * for, and no answer depends on it.
 *
 * @throws SpillwayError `bad-option` where it is no function.
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
