import { RateLimiter } from "spillway";
import { ProofOfWork, solve, Visitors } from "spillway/visitors";

/** A stranger who solves a challenge, and comes back with the cookie from another address. */
export async function visit(): Promise<string> {
  const limiter = new RateLimiter({ ids: { kind: "token bucket", rate: 5, period: "1h" } });
  const keys = [{ id: "now", secret: "a secret of at least 32 characters" }];
  const work = new ProofOfWork(limiter, { keys, bits: 6 });
  const names = { newIds: "ids", proofs: "ids" } as const;
  const visitors = new Visitors(limiter, { keys, ...names, challenge: work.verify });
  const home = { cookie: null, address: "203.0.113.7" };
  const solution = await solve(await work.challenge(home.address));
  const { id, setCookie = "" } = await visitors.prove({ ...home, solution });
  const cookie = setCookie.slice(0, setCookie.indexOf(";"));
  const back = await visitors.enter({ cookie, address: "2001:db8::1" });
  return back.proved && back.id === id ? "known again" : "a stranger";
}
