/** What is given once, or for a price, is not given while the store that counts it is away. */
import { describe, expect, test } from "vitest";
import { ProofOfWork, solve, Visitors } from "../../../src/http/visitors/index.ts";
import { RateLimiter } from "../../../src/limiter/index.ts";
import { manualClock } from "../../../src/testing/index.ts";
import { breakableStore } from "../../stores/remote/breakable.ts";

const keys = [{ id: "k", secret: "s".repeat(32) }];
const HOME = "203.0.113.7";

const WHEN = ["closed", "open", "local"] as const;
const SAID = ["by the limiter", "by each limit"] as const;
const ALL = WHEN.flatMap((when) => SAID.map((said) => ({ when, said })));

function site({ when, said }: (typeof ALL)[number]) {
  const clock = manualClock();
  const { store, leave, comeBack } = breakableStore(clock);
  const own = said === "by each limit" ? { whenUnavailable: when } : {};
  const limiter = new RateLimiter(
    {
      newIds: { kind: "token bucket", rate: 5, period: "1h", ...own },
      proofs: { kind: "token bucket", rate: 3, period: "1h", ...own },
      networks: { kind: "token bucket", rate: 9, period: "1h", ...own },
    },
    { store, whenUnavailable: said === "by the limiter" ? when : "closed" },
  );
  const network = { limit: "networks", ipv6Prefix: 48 } as const;
  const work = new ProofOfWork(limiter, { keys, bits: 4, clock });
  const settings = { keys, newIds: "newIds", proofs: "proofs", network, clock } as const;
  const visitors = new Visitors(limiter, { ...settings, challenge: work.verify });
  const captcha = new Visitors(limiter, { ...settings, challenge: () => true });
  return { leave, comeBack, work, visitors, captcha };
}

const NOBODY = {
  id: undefined,
  proved: false,
  setCookie: undefined,
  key: HOME,
  refused: { ok: false, reason: "unavailable", degraded: true },
};

describe.each(ALL)("$when, said $said", (how) => {
  test("no proof of work is right while nobody knows which are spent", async () => {
    const { leave, comeBack, work } = site(how);
    const solution = await solve(await work.challenge(HOME));
    const verdicts = (): Promise<boolean[]> =>
      Promise.all(Array.from({ length: 10 }, () => work.verify(solution, { address: HOME })));
    leave();
    expect(await verdicts()).toEqual(new Array(10).fill(false));
    comeBack();
    expect((await verdicts()).filter(Boolean)).toHaveLength(1);
    leave();
    expect(await verdicts()).toEqual(new Array(10).fill(false));
  });

  test("no id is given, and those that there are go on", async () => {
    const { leave, visitors, captcha } = site(how);
    const { setCookie, id } = await visitors.enter({ cookie: "", address: HOME });
    leave();
    expect(await visitors.enter({ cookie: "", address: HOME })).toMatchObject(NOBODY);
    const proof = { cookie: "", address: HOME, solution: "right" };
    expect(await captcha.prove(proof)).toMatchObject(NOBODY);
    const cookie = setCookie?.split(";")[0];
    expect(await visitors.enter({ cookie, address: HOME })).toMatchObject({ id });
  });

  test("no id is given where the store goes while a challenge is checked", async () => {
    const world = site(how);
    const solution = await solve(await world.work.challenge(HOME));
    const prove = world.visitors.prove({ cookie: "", address: HOME, solution });
    world.leave();
    expect(await prove).toMatchObject({ id: undefined, proved: false });
  });
});
