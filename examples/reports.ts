/**
 * Reports: three at once for each user, whatever their number, and a worker that dies holds nothing.
 *
 * Who comes when all leases are taken is refused at once, or waits for one, first come first served.
 */
import { MINUTE, RateLimiter, SECOND } from "spillway";
import { memoryStore } from "spillway/memory";
import { manualClock } from "spillway/testing";

// Leave the store out in an app: this one is here so that the story can let time go by.
const clock = manualClock();
const store = memoryStore({ clock });

const limiter = new RateLimiter(
  { reports: { kind: "concurrency", capacity: 3, ttl: 5 * MINUTE } },
  { store },
);

/** Writes a report, if there is a place for it. */
async function report(user: string, write: () => Promise<string>): Promise<string> {
  const lease = limiter.acquire("reports", { key: user });
  try {
    return lease.ok ? await write() : "three of your reports are being written already";
  } finally {
    lease.release();
  }
}

/** The same, but it waits for a place, and keeps it for as long as the work lasts. */
function reportInTurn(user: string, write: () => Promise<string>): Promise<string> {
  return limiter.run("reports", { key: user, wait: 10 * SECOND }, write);
}

export async function story(): Promise<string[]> {
  const { promise: printed, resolve: print } = Promise.withResolvers<string>();
  const under = () => printed;
  const three = [report("ada", under), report("ada", under), report("ada", under)];
  const fourth = await report("ada", under);
  const other = report("bob", async () => "written at once");
  const waiting = reportInTurn("ada", async () => "written in its turn");
  print("printed");
  const lines = [...(await Promise.all(three)), fourth, await other, await waiting];
  limiter.acquire("reports", { key: "a worker that dies" });
  const left = () => limiter.value("reports", { key: "a worker that dies" }).remaining;
  lines.push(`while it holds one, ${left()} are left`);
  clock.advance(5 * MINUTE);
  return [...lines, `five minutes after it died, ${left()} are left`];
}

if (import.meta.main) console.log((await story()).join("\n"));
