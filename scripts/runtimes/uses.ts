import { RateLimiter, type Store, type Timing } from "spillway";

/** What came of the uses of a limiter: see `uses`. */
export type Uses = {
  readonly taken: number;
  readonly takenAfterSettling: number;
  readonly leases: readonly boolean[];
};

/** Uses a limiter on a store as programs do: takes more than there is, settles, holds leases. */
export async function uses(store: Store<Timing>): Promise<Uses> {
  const limiter = new RateLimiter(
    {
      requests: { kind: "token bucket", rate: 5, period: "1h" },
      jobs: { kind: "concurrency", capacity: 1, ttl: "5m" },
    },
    { store },
  );
  const key = crypto.randomUUID();
  const takeMany = async () => {
    const asks = Array.from({ length: 20 }, () => limiter.limit("requests", { key }));
    return (await Promise.all(asks)).filter(({ ok, degraded }) => ok && !degraded).length;
  };
  const taken = await takeMany();
  await limiter.settle("requests", { key, reserved: 2, used: 0 });
  const takenAfterSettling = await takeMany();
  const first = await limiter.acquire("jobs", { key });
  const second = await limiter.acquire("jobs", { key });
  if (first.ok) await first.release();
  const third = await limiter.acquire("jobs", { key });
  return { taken, takenAfterSettling, leases: [first.ok, second.ok, third.ok] };
}
