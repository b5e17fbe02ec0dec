/** Visitors without a name: a thousand cookies are worth one, and whoever solves a challenge has a budget of their own. */
import { HOUR, MINUTE, RateLimiter } from "spillway";
import { memoryStore } from "spillway/memory";
import { manualClock } from "spillway/testing";
import { ProofOfWork, solve, Visitors } from "spillway/visitors";

const NAT = "203.0.113.7";

export async function story() {
  const clock = manualClock();
  const limiter = new RateLimiter(
    {
      newIds: { kind: "token bucket", rate: 60, period: HOUR },
      proofs: { kind: "token bucket", rate: 30, period: HOUR },
      search: { kind: "token bucket", rate: 20, period: MINUTE },
    },
    { store: memoryStore({ clock }) },
  );
  const keys = [{ id: "2026-11", secret: "at least 32 bytes that nobody knows" }];
  const work = new ProofOfWork(limiter, { keys, bits: 10, clock });
  const names = { newIds: "newIds", proofs: "proofs" } as const;
  const visitors = new Visitors(limiter, { keys, ...names, challenge: work.verify, clock });

  const search = async (cookie: string, address = NAT) => {
    const visitor = await visitors.enter({ cookie, address });
    const { ok } = limiter.limit("search", { key: visitor.key });
    return { ok, cookie: visitor.setCookie?.split(";")[0] ?? cookie };
  };

  const cookies = new Set<string>();
  let found = 0;
  for (let count = 0; count < 1000; count++) {
    const { ok, cookie } = await search("");
    if (cookie !== "") cookies.add(cookie);
    if (ok) found++;
  }
  const lines = [`a stranger who drops 1000 cookies: ${cookies.size} ids, ${found} searches`];
  for (const cookie of cookies) if ((await search(cookie)).ok) found++;
  lines.push(`and with all of them at once: ${found} searches`);

  const ada = await search("");
  lines.push(`ada, behind the same address: ${ada.ok ? "found" : "refused"}`);
  const solution = await solve(await work.challenge(NAT));
  const proved = await visitors.prove({ cookie: ada.cookie, address: NAT, solution });
  const own = await search(proved.setCookie?.split(";")[0] ?? "");
  lines.push(`once she has solved a challenge: ${own.ok ? "found" : "refused"}`);
  const moved = await search(own.cookie, "2001:db8:1:2::3");
  lines.push(`on her way home: ${moved.ok && moved.cookie === own.cookie ? "found" : "refused"}`);
  const again = await visitors.prove({ cookie: "", address: NAT, solution });
  lines.push(`the same solution again: ${again.proved ? "another id" : "no other id"}`);
  return lines;
}

if (import.meta.main) console.log((await story()).join("\n"));
