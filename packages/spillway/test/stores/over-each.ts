import { runs } from "../runs.ts";

/** Cases that are long, and about what the port computes: no driver or client has a part in that. */
const OF_THE_PORT = /take turns within both bounds/;

/** The cases for one of several drivers: all for the first, and for every one in long runs. */
export function overEach<C extends { readonly name: string }>(
  cases: readonly C[],
  index: number,
): readonly C[] {
  const areAll = index === 0 || runs(1) > 1;
  return areAll ? cases : cases.filter(({ name }) => !OF_THE_PORT.test(name));
}
