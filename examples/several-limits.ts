/**
 * One action under several limits: a short burst, a day's worth, and a plan that the customer chose.
 *
 * They are taken all or none, the answer names those that refused, and its wait is the longest: who
 * comes back then is not refused by the next limit in line.
 */
import { DAY, type Limit, RateLimiter, SECOND } from "spillway";
import { memoryStore } from "spillway/memory";
import { manualClock } from "spillway/testing";

// Leave the store out in an app: this one is here so that the story can let time go by.
const clock = manualClock();
const store = memoryStore({ clock });

const limiter = new RateLimiter(
  {
    burst: { kind: "token bucket", rate: 5, period: SECOND },
    daily: { kind: "fixed window", rate: 1000, period: DAY, start: 0 },
  },
  { store },
);

/** What each plan may export; could come from a file or a database. */
const PLANS: { readonly [plan: string]: Limit } = {
  free: { kind: "sliding log", rate: 6, period: "1h" },
  paid: { kind: "sliding log", rate: 600, period: "1h" },
};

type Customer = { readonly id: string; readonly plan: keyof typeof PLANS };

/** Exports some rows for a customer. */
export function exportRows({ id, plan }: Customer, rows: number): string {
  const { ok, refused, retryAfter } = limiter.limitAll([
    { limit: "burst", key: id },
    { limit: "daily", key: id, count: rows },
    { limit: "exports", key: id, config: PLANS[plan] as Limit },
  ]);
  if (!ok) return `refused by ${refused.join(" and ")}, come back in ${retryAfter / 1000} s`;
  return `${rows} rows exported`;
}

export function story(): string[] {
  const acme = { id: "acme", plan: "free" };
  const lines = Array.from({ length: 6 }, (_, n) => `export ${n + 1}: ${exportRows(acme, 100)}`);
  clock.advance(200);
  lines.push(`0.2 s later: ${exportRows(acme, 100)}`, `and again: ${exportRows(acme, 100)}`);
  lines.push(`after a better plan was bought: ${exportRows({ ...acme, plan: "paid" }, 100)}`);
  clock.advance(200);
  lines.push(`0.2 s later: ${exportRows({ ...acme, plan: "paid" }, 100)}`);
  lines.push(`rows left today: ${limiter.value("daily", { key: "acme" }).remaining}`);
  return lines;
}

if (import.meta.main) console.log(story().join("\n"));
