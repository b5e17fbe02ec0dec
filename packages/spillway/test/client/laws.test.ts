/** What holds of a client whatever servers do and programs want, in virtual time. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { limitedFetch } from "../../src/client/index.ts";
import { RateLimiter } from "../../src/limiter/index.ts";
import type { Store } from "../../src/limits/core/index.ts";
import { memoryStore } from "../../src/stores/memory/index.ts";
import { seededRandom } from "../../src/testing/index.ts";
import { runs } from "../runs.ts";
import { VirtualScheduler } from "./virtual-scheduler.ts";

const HOST = "http://api.example/";

/** How the server answers for some seconds; 0 is no answer. */
const mood = fc.record({
  lasting: fc.integer({ min: 100, max: 8000 }),
  status: fc.constantFrom(200, 200, 200, 429, 429, 503, 500, 0),
  seconds: fc.option(fc.integer({ min: 0, max: 10 }), { nil: undefined }),
  takes: fc.integer({ min: 0, max: 800 }),
  /** The one route that it is about; the others are served. */
  only: fc.option(fc.constantFrom("a", "b", "c"), { nil: undefined }),
});
const wish = fc.record({
  route: fc.constantFrom("a", "a", "b", "c"),
  at: fc.integer({ min: 0, max: 6000 }),
  method: fc.constantFrom("GET", "GET", "PUT", "POST"),
  repeat: fc.constantFrom("idempotent" as const, "refused" as const),
  wait: fc.constantFrom(0, 500, 5000, 30_000),
  priority: fc.constantFrom("critical" as const, "normal" as const, "low" as const),
  brokenOff: fc.option(fc.integer({ min: 0, max: 6000 }), { nil: undefined }),
});
const LIMITS = {
  rate: { kind: "token bucket", rate: 4, period: "1s" },
  starts: { kind: "leaky bucket", rate: 2, period: "1s", capacity: 20 },
  places: { kind: "concurrency", capacity: 2, ttl: "1h" },
} as const;
const own = fc.constantFrom(undefined, "rate" as const, "starts" as const, "places" as const);
const settings = fc.record({
  attempts: fc.integer({ min: 1, max: 5 }),
  concurrency: fc.constantFrom(1, 3, 1000),
  maxWaiting: fc.constantFrom(2, 1000),
  /** Milliseconds to the store of the client's own limits. */
  away: fc.constantFrom(0, 0, 7),
});

type Mood = typeof mood extends fc.Arbitrary<infer M> ? M : never;
type Wish = typeof wish extends fc.Arbitrary<infer W> ? W : never;
type Send = { readonly begun: number; underWay: number; status: number };

/** A server of changing moods, and what it has seen: a request's address is its route and its number. */
function server(time: VirtualScheduler, moods: readonly Mood[]) {
  const turns = moods.flatMap(({ lasting, ...mood }) => Array(Math.ceil(lasting / 100)).fill(mood));
  const sends = new Map<number, Send[]>();
  const early: string[] = [];
  const heldUntil = new Map<string, number>();
  const underWay = { now: 0, most: 0 };
  const takes = (ms: number, signal: AbortSignal | null | undefined) =>
    new Promise<void>((resolve, reject) => {
      const callOff = time.alarm(ms, resolve);
      signal?.addEventListener("abort", () => {
        callOff();
        reject(signal.reason);
      });
    });
  const network = async (url: string, init?: RequestInit) => {
    const begun = time.elapsed();
    const [route = "", digits] = url.slice(HOST.length).split("/");
    const { only, ...mood } = turns[Math.floor(begun / 100) % turns.length] as Mood;
    const status = only === undefined || only === route ? mood.status : 200;
    const send = { begun, underWay: 0, status: -1 };
    const number = Number(digits);
    underWay.most = Math.max(underWay.most, ++underWay.now);
    const held = heldUntil.get(route) ?? 0;
    sends.set(number, [...(sends.get(number) ?? []), send]);
    if (begun < held) early.push(`${number} at ${begun}, before ${held}`);
    await takes(mood.takes, init?.signal).finally(() => {
      send.underWay = time.elapsed() - begun;
      underWay.now--;
    });
    send.status = status;
    if (status === 0) throw new TypeError("fetch failed");
    if (status === 200 || mood.seconds === undefined) return new Response("", { status });
    const until = time.elapsed() + mood.seconds * 1000;
    heldUntil.set(route, Math.max(heldUntil.get(route) ?? 0, until));
    return new Response("", { status, headers: { "Retry-After": String(mood.seconds) } });
  };
  return { network, early, underWay, sentFor: (number: number) => sends.get(number) ?? [] };
}

/** A store that answers so many milliseconds later. */
function storeAway(time: VirtualScheduler, ms: number): Store<"later"> {
  const store = memoryStore({ clock: time.clock });
  if (ms === 0) return store as unknown as Store<"later">;
  const execute = async (command: Parameters<typeof store.execute>[0]) => {
    await time.sleep(ms / 2);
    const answer = store.execute(command);
    await time.sleep(ms / 2);
    return answer;
  };
  return { timing: "later", execute } as unknown as Store<"later">;
}

/** A request ends in time, and is sent again only where it may be. */
function expectLawful(
  { method, repeat, wait, brokenOff }: Wish,
  sends: readonly Send[],
  took: number,
) {
  const underWay = sends.reduce((sum, send) => sum + send.underWay, 0);
  expect(took - underWay).toBeLessThanOrEqual(wait + 2);
  if (brokenOff !== undefined) expect(took).toBeLessThanOrEqual(brokenOff);
  const mayAgain = ({ status }: Send) =>
    method === "POST" ? repeat === "refused" && status === 429 : status !== 200;
  expect(sends.slice(0, -1).filter((send) => !mayAgain(send))).toEqual([]);
}

test("nothing is sent too early, too late or too often, and nothing is kept", async () => {
  const wishes = fc.array(wish, { minLength: 1, maxLength: 40 });
  const moods = fc.array(mood, { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(
      moods,
      wishes,
      own,
      settings,
      fc.integer(),
      async (moods, wishes, limit, options, seed) => {
        const time = new VirtualScheduler();
        const { network, early, underWay, sentFor } = server(time, moods);
        const { away, ...others } = options;
        const limiter = new RateLimiter(LIMITS, { store: storeAway(time, away) });
        const ours = limit === undefined ? {} : { limiter, limit, key: "us" };
        const world = { scheduler: time, clock: time.clock, random: seededRandom(seed) };
        const api = limitedFetch(network, { ...world, ...others, ...ours });
        const all = wishes.map(async (wish, number) => {
          const { at, route, method, repeat, wait, priority, brokenOff } = wish;
          await time.sleep(at);
          const controller = new AbortController();
          if (brokenOff !== undefined) time.alarm(brokenOff, () => controller.abort("enough"));
          const said = { signal: controller.signal, spillway: { repeat, wait, priority } };
          const answer = await api(`${HOST}${route}/${number}`, { method, ...said }).catch(
            () => undefined,
          );
          await answer?.text();
          return { wish, took: time.elapsed() - at, sends: sentFor(number) };
        });
        const done = await time.until(Promise.all(all));
        await time.advance(60_000);
        expect(early).toEqual([]);
        for (const { wish, sends, took } of done) expectLawful(wish, sends, took);
        expect(done.map(({ sends }, number) => sentFor(number).length - sends.length)).toEqual(
          done.map(() => 0),
        );
        expect(Math.max(...done.map(({ sends }) => sends.length))).toBeLessThanOrEqual(
          options.attempts,
        );
        expect(underWay.most).toBeLessThanOrEqual(options.concurrency);
        const { remaining } = await time.until(
          Promise.resolve(limiter.value("places", { key: "us" })),
        );
        expect(remaining).toBe(2);
      },
    ),
    { numRuns: runs(150) },
  );
});
