/** More keys than a memory store has room for, all of them using up their limit. */
import { RateLimiter } from "spillway";
import { memoryStore } from "spillway/memory";
import type { Part } from "./part.ts";

const MAX_KEYS = 100_000;
/** Times as many keys as there is room for. */
const TIMES = 3;
const LIMITS = { it: { kind: "token bucket", rate: 1, period: "1d" } } as const;

export const bound: Part = {
  name: "keys beyond the bound of memory",
  async measure(progress) {
    const limiter = new RateLimiter(LIMITS, {
      store: memoryStore({ maxKeys: MAX_KEYS, warn: () => {} }),
    });
    for (let n = 0; n < TIMES * MAX_KEYS; n++) limiter.limit("it", { key: `banned ${n}` });
    const refused = refusedOf(limiter, "fresh");
    const title = `${TIMES} × ${MAX_KEYS} keys in a store of ${MAX_KEYS}`;
    const rows = [
      { name: "fresh keys refused for others' sake", value: 100 * refused, unit: "%" },
      { name: "banned keys refused", value: 100 * refusedOf(limiter, "banned"), unit: "%" },
    ];
    progress(`${title}: ${rows.map(({ name, value }) => `${name} ${value} %`).join(", ")}`);
    return rows.map((row) => ({ title: `${title}: ${row.name}`, rows: [row] }));
  },
};

/** The part of some keys that is refused; a check takes no room. */
function refusedOf(limiter: RateLimiter<typeof LIMITS>, name: string): number {
  let refused = 0;
  for (let n = 0; n < MAX_KEYS; n++) {
    if (!limiter.check("it", { key: `${name} ${n}` }).ok) refused++;
  }
  return Number((refused / MAX_KEYS).toFixed(4));
}
