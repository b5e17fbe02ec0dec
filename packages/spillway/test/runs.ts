/** `npm run soak` makes more random runs than `npm test`: so many times as many. */
const TIMES = Number(process.env.SPILLWAY_RUNS ?? 1);

/** How many random runs to make, where `npm test` makes so many. */
export const runs = (short: number): number => short * TIMES;

/** All of them in long runs; in `npm test` every nth, which stands for those that are like it. */
export function someOf<T>(all: readonly T[], nth: number): readonly T[] {
  return TIMES > 1 ? all : all.filter((_, place) => place % nth === 0);
}

/** The first seed of runs that have one each, so that long runs can be made in pieces. */
export const FIRST_SEED = Number(process.env.SPILLWAY_FIRST_SEED ?? 0);
