/** The keys that are asked for, and the orders in which they are. Pure. */

/** So many different keys, such as `user:7`: short, so that V8 makes each of them one flat string. */
export function makeKeys(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `user:${index}`);
}

/** The same keys in another order, always the same one: Fisher and Yates over a small generator. */
export function shuffled(keys: readonly string[]): readonly string[] {
  const mixed = [...keys];
  let seed = 1;
  for (let left = mixed.length; left > 1; left--) {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    const other = Math.floor((seed / 2 ** 32) * left);
    [mixed[left - 1], mixed[other]] = [mixed[other] as string, mixed[left - 1] as string];
  }
  return mixed;
}

/** The same keys in the same order, so many at a time. */
export function batches(keys: readonly string[], size: number): readonly (readonly string[])[] {
  const count = Math.ceil(keys.length / size);
  return Array.from({ length: count }, (_, index) => keys.slice(index * size, (index + 1) * size));
}

/** Indices of keys, the first of which comes twice as often as the second and three times as often as the third. */
export function zipf(
  keys: number,
  { length, seed }: { readonly length: number; readonly seed: number },
): readonly number[] {
  const until: number[] = [];
  for (let key = 0; key < keys; key++) until.push((until[key - 1] ?? 0) + 1 / (key + 1));
  let state = seed;
  return Array.from({ length }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return firstBeyond(until, (state / 2 ** 32) * (until.at(-1) as number));
  });
}

/** The index of the first of ascending numbers that is greater than another. */
function firstBeyond(numbers: readonly number[], other: number): number {
  let [low, high] = [0, numbers.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] as number) > other) high = middle;
    else low = middle + 1;
  }
  return low;
}
