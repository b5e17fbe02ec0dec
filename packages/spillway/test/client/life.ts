/**
 * Servers as they are: slow, with refusals that mean nothing, with one route that fails. Each row is a world of
 * some minutes, in virtual time, with what a client has to reach there; in percent.
 */
import { RateLimiter } from "../../src/limiter/index.ts";
import type { Store } from "../../src/limits/core/index.ts";
import { memoryStore } from "../../src/stores/memory/index.ts";
import {
  after,
  allSlowly,
  BUSY,
  changing,
  hanging,
  limited,
  OK,
  openai,
  redirecting,
  type Server,
  SILENT,
  slowly,
  stray,
  underWayAtMost,
  window,
  windowed,
  withRoute,
} from "../servers/life/models.ts";
import { VirtualScheduler } from "./virtual-scheduler.ts";
import { live, servedOf, sharesOf, type WorldOptions } from "./world.ts";

export type Measured = { readonly [what: string]: number };
export type Row = {
  readonly name: string;
  readonly run: (seed: number) => Promise<Measured>;
  /** What is to be reached: at least, at most. */
  readonly least?: Measured;
  readonly most?: Measured;
};

const MINUTE = 60_000;

async function used(
  world: Omit<WorldOptions, "lasting">,
  rate: number,
  span: { from: number; to: number },
) {
  const lived = await live({ ...world, lasting: span.to });
  return sharesOf(lived, { ...span, rate });
}

const LEARNT = { from: MINUTE, to: 4 * MINUTE };

const slow = (
  name: string,
  server: () => Server,
  bounds: { least: Measured; most: Measured },
): Row => ({
  name,
  run: (seed) =>
    used({ server: server(), wanted: 7.5, seed, options: { wait: MINUTE } }, 5, LEARNT),
  ...bounds,
});

const bounds = (used: number, refused: number) => ({ least: { used }, most: { refused } });

/** Paths of which some lead to a route of its own. */
const routes = (share: number) => (random: () => number) => {
  const id = Math.floor(random() * 1000);
  return { url: `http://api.example/${random() < share ? "bad" : "good"}/${id}` };
};

export const ROWS: readonly Row[] = [
  slow("5/s, answers of 5 s, Retry-After", () => slowly(5000, limited(5, after(1))), bounds(95, 2)),
  slow(
    "5/s, answers of 5 s, Retry-After, a window",
    () => slowly(5000, windowed(5, 1000, after(1))),
    bounds(95, 2),
  ),
  slow("5/s, answers of 5 s, silent", () => slowly(5000, limited(5, SILENT)), bounds(90, 5)),
  slow(
    "5/s, answers of 5 s, slow and silent refusals",
    () => allSlowly(5000, limited(5, SILENT)),
    bounds(90, 5),
  ),
  slow("5/s, answers of 5 s, OpenAI's headers", () => openai(5, 5000), bounds(95, 2)),
  slow("5/s, answers of 20 s, OpenAI's headers", () => openai(5, 20_000), bounds(95, 3)),
  slow(
    "5/s, answers of 20 s, OpenAI's headers, a small bucket",
    () => openai(5, 20_000, 10),
    bounds(95, 3),
  ),
  ...(
    [
      [0.5, 99],
      [1, 99],
      [10, 97],
    ] as const
  ).map(
    ([share, least]): Row => ({
      name: `${share} % stray 503s at 25/s`,
      async run(seed) {
        const { calls } = await live({
          server: stray(() => share / 100),
          wanted: 25,
          lasting: 3 * MINUTE,
          seed,
        });
        return servedOf(calls, { from: 0, to: 2.5 * MINUTE });
      },
      least: { served: least },
      most: { p50: 25 + 10 },
    }),
  ),
  {
    name: "10 % stray 503s for 30 s, then none",
    async run(seed) {
      const lived = await live({
        server: stray((at) => (at < 30_000 ? 0.1 : 0)),
        wanted: 25,
        lasting: 2 * MINUTE,
        seed,
      });
      return servedOf(lived.calls, { from: 35_000, to: MINUTE * 1.5, within: 1000 });
    },
    least: { served: 99 },
  },
  {
    name: "a limit with a word, and 5 % stray 503s",
    run: (seed) =>
      used(
        { server: stray(() => 0.05, limited(20, after(1))), wanted: 40, seed },
        20 * 0.95,
        LEARNT,
      ),
    ...bounds(85, 5 + 5),
  },
  ...[10, 30, 50].map(
    (share): Row => ({
      name: `${share} % go to a route that fails`,
      async run(seed) {
        const server = withRoute(() => ({ status: 500, takes: 20 }));
        const { calls, seen } = await live({
          server,
          wanted: 25,
          lasting: MINUTE,
          seed,
          wish: routes(share / 100),
        });
        const good = calls.filter(({ url }) => url.includes("good"));
        const bad = seen.filter(({ url, at }) => url.pathname.startsWith("/bad") && at >= 10_000);
        return {
          ...servedOf(good, { from: 0, to: MINUTE - 1000, within: 1000 }),
          bad: bad.length / 50,
        };
      },
      least: { served: 98 },
      most: { bad: 1.05 },
    }),
  ),
  ...[1, 5].map(
    (seconds): Row => ({
      name: `a route with a limit of its own, Retry-After: ${seconds}`,
      async run(seed) {
        const server = withRoute(limited(2, after(seconds)));
        const { calls, seen } = await live({
          server,
          wanted: 25,
          lasting: 2 * MINUTE,
          seed,
          wish: routes(0.3),
        });
        const good = calls.filter(({ url }) => url.includes("good"));
        const onRoute = sharesOf(
          { seen: seen.filter(({ url }) => url.pathname.startsWith("/bad")) },
          { from: MINUTE, to: 2 * MINUTE, rate: 2 },
        );
        return {
          ...servedOf(good, { from: 0, to: 2 * MINUTE - 1000, within: 1000 }),
          own: onRoute.used,
          refused: onRoute.refused,
        };
      },
      least: { served: 95, own: 80 },
      most: { refused: 10 },
    }),
  ),
  ...(["with a word", "silent", "bare 503s"] as const).map(
    (word): Row => ({
      name: `five routes that share a limit, ${word}`,
      async run(seed) {
        const reply = { "with a word": after(1), silent: SILENT, "bare 503s": BUSY }[word];
        const server = slowly(seed % 2 === 0 ? 2000 : 20, limited(20, reply));
        const wish = (random: () => number) => ({
          url: `http://api.example/${"abcde"[Math.floor(random() * 5)]}`,
        });
        return used({ server, wanted: 40, seed, wish }, 20, LEARNT);
      },
      ...bounds(90, 5),
    }),
  ),
  ...[12, 35].map(
    (count): Row => ({
      name: `a quota of 60 an hour, untouched, ${count} at once`,
      async run(seed) {
        const units = window({ most: 60, period: 60 * MINUTE });
        const server: Server = ({ at }) => {
          const status = units.take(at) ? 200 : 429;
          const headers = {
            "X-RateLimit-Limit": "60",
            "X-RateLimit-Remaining": String(units.left),
            "X-RateLimit-Reset": String(Math.ceil((Date.UTC(2026, 0, 1) + units.end) / 1000)),
            Date: new Date(Date.UTC(2026, 0, 1) + at).toUTCString(),
          };
          return { status, headers, takes: 100 };
        };
        return several(count, server, seed);
      },
      least: { served: 100 },
      most: { slowest: 1500 },
    }),
  ),
  ...(
    [
      ["10 min behind", -10],
      ["10 min ahead", 10],
      ["a day ahead", 24 * 60],
      ["right", 0],
    ] as const
  ).flatMap(([clock, minutes]) =>
    [5000, 60_000].map(
      (period): Row => ({
        name: `an own clock that is ${clock}, no Date, a window of ${period / 1000} s`,
        run: (seed) => byWrongClock(minutes * MINUTE, period, seed),
        ...bounds(minutes === 0 ? 90 : 75, minutes === 0 ? 2 : 5),
      }),
    ),
  ),
  ...(["silent", "with a word"] as const).map(
    (word): Row => ({
      name: `10, then 3, then 10/s, ${word}`,
      async run(seed) {
        const rateAt = (at: number) => (at >= MINUTE && at < 2 * MINUTE ? 3 : 10);
        const server = changing(rateAt, word === "silent" ? SILENT : after(1));
        const lived = await live({ server, wanted: 15, lasting: 3 * MINUTE, seed });
        const low = sharesOf(lived, { from: MINUTE, to: 2 * MINUTE, rate: 3 });
        const later = sharesOf(lived, { from: 2 * MINUTE, to: 3 * MINUTE, rate: 10 });
        const { used } = sharesOf(lived, {
          from: 2 * MINUTE + 20_000,
          to: 2 * MINUTE + 40_000,
          rate: 10,
        });
        return { used, low: low.refused, later: later.refused, usedLow: low.used };
      },
      least: { used: 80 },
      most: { low: 12, later: 5 },
    }),
  ),
  {
    name: "ten processes, only Retry-After, 1/s each",
    async run(seed) {
      const server = limited(10, after(1));
      const lived = await live({ server, clients: 10, wanted: 40, lasting: MINUTE, seed });
      const first = sharesOf(lived, { from: 0, to: 30_000, rate: 10 });
      const settled = sharesOf(lived, { from: 10_000, to: 35_000, rate: 10 });
      const { used } = sharesOf(lived, { from: 10_000, to: MINUTE, rate: 10 });
      return { first: first.refused, settled: settled.refused, used };
    },
    least: { used: 90 },
    most: { first: 10, settled: 5 },
  },
  {
    name: "redirects to an origin with a limit",
    async run(seed) {
      const files = { host: "files.example", origin: "http://files.example" };
      const server = redirecting(files, slowly(20, limited(10, after(1))));
      const lived = await live({ server, wanted: 12, lasting: 3 * MINUTE, seed });
      const seen = lived.seen.filter(({ url }) => url.hostname === "files.example");
      const { served } = servedOf(lived.calls, { from: MINUTE, to: 2 * MINUTE });
      return {
        ...sharesOf({ seen }, { from: MINUTE, to: 3 * MINUTE, rate: 10 }),
        lost: 100 - (served * 12) / 10,
      };
    },
    ...bounds(90, 5),
    most: { refused: 5, lost: 5 },
  },
  {
    name: "five under way at most, silent",
    async run(seed) {
      const lived = await live({
        server: underWayAtMost(5),
        wanted: 50,
        lasting: 4 * MINUTE,
        seed,
      });
      return sharesOf(lived, { from: MINUTE, to: 4 * MINUTE, rate: 5 / 0.205 });
    },
    ...bounds(85, 5),
  },
  {
    name: "an outage of 3 s: the busiest second after it",
    async run(seed) {
      const server = limited(40, after(1));
      const outage: Server = (request) =>
        request.at >= MINUTE && request.at < MINUTE + 3000 ? { status: 0 } : server(request);
      const { seen } = await live({
        server: outage,
        clients: 10,
        wanted: 80,
        lasting: 1.2 * MINUTE,
        seed,
      });
      const later = seen.filter(({ at }) => at >= MINUTE + 3000);
      const perSecond = later.map(
        ({ at }) => later.filter((one) => one.at >= at && one.at < at + 1000).length,
      );
      return { peak: Math.max(...perSecond) / 40 };
    },
    most: { peak: 2 },
  },
  {
    name: "a limit told by bare 503s",
    run: (seed) => used({ server: limited(20, BUSY), wanted: 40, seed }, 20, LEARNT),
    ...bounds(85, 8),
  },
  {
    name: "a limit told by bare 503s, hardly too much wanted",
    run: (seed) => used({ server: limited(20, BUSY), wanted: 25, seed }, 20, LEARNT),
    ...bounds(85, 8),
  },
  {
    name: "critical work at twice the rate",
    async run(seed) {
      const server = limited(20, after(1));
      const kinds = ["critical", "normal", "background"] as const;
      const wish = (random: () => number) => {
        const share = random() * 80;
        const priority = share < 40 ? "critical" : share < 60 ? "normal" : "background";
        return {
          url: `http://api.example/?${priority}`,
          init: { spillway: { priority } } as RequestInit,
        };
      };
      const { seen } = await live({ server, wanted: 80, lasting: 3 * MINUTE, seed, wish });
      const part = (kind: string) =>
        sharesOf(
          { seen: seen.filter(({ url }) => url.search.includes(kind)) },
          { from: MINUTE, to: 3 * MINUTE, rate: 20 },
        ).used;
      return Object.fromEntries(kinds.map((kind) => [kind, part(kind)]));
    },
    least: { critical: 70, normal: 3, background: 1 },
  },
  {
    name: "a server that hangs, with AbortSignal.timeout",
    async run(seed) {
      const server = hanging(20_000, 40_000);
      const wish = (_: () => number, time: { alarm(ms: number, call: () => void): unknown }) => {
        const controller = new AbortController();
        time.alarm(1000, () => controller.abort(new DOMException("too slow", "TimeoutError")));
        return { init: { signal: controller.signal } };
      };
      const { seen } = await live({ server, wanted: 20, lasting: MINUTE, seed, wish });
      const during = seen.filter(({ at }) => at >= 25_000 && at < 40_000);
      const first =
        seen.filter(({ at, status }) => at >= 40_000 && status === 200)[19]?.at ?? MINUTE;
      return { during: during.length / 15, again: first - 40_000 };
    },
    most: { during: 1.2, again: 2000 },
  },
  ...[1, 5, 20].map(
    (ms): Row => ({
      name: `an own limit of 1000/s on a store ${ms} ms away`,
      async run(seed) {
        return own(ms, seed);
      },
      least: { perSecond: 950 },
    }),
  ),
];

/** A window whose reset is an instant, as seen by a page of another origin: no `Date`, and a clock that is wrong. */
async function byWrongClock(wrong: number, period: number, seed: number): Promise<Measured> {
  const most = period / 100;
  const units = window({ most, period });
  const server: Server = ({ at }) => {
    const isIn = units.take(at);
    const reset = Math.ceil((Date.UTC(2026, 0, 1) + units.end) / 1000);
    const headers = {
      "X-RateLimit-Limit": String(most),
      "X-RateLimit-Remaining": String(units.left),
      "X-RateLimit-Reset": String(reset),
    };
    return { status: isIn ? 200 : 429, headers, takes: 20 };
  };
  const time = new VirtualScheduler();
  const clock = () => time.clock() + wrong;
  const world = { server, wanted: 15, seed, time, options: { clock, wait: MINUTE } };
  return used(world, 10, { from: 2 * MINUTE, to: 6 * MINUTE });
}

/** So many at once, of a host that nothing is known of. */
async function several(count: number, server: Server, seed: number): Promise<Measured> {
  const { calls } = await live({
    server,
    wanted: count * 100,
    lasting: 2 * MINUTE,
    until: 10,
    seed,
  });
  const { served } = servedOf(calls, { from: 0, to: MINUTE });
  return { served, slowest: Math.max(...calls.map(({ took }) => took)) };
}

async function own(ms: number, seed: number): Promise<Measured> {
  const time = new VirtualScheduler();
  const store = memoryStore({ clock: time.clock });
  const far = {
    timing: "later",
    execute: async (command: Parameters<typeof store.execute>[0]) => {
      await time.sleep(ms / 2);
      const answer = store.execute(command);
      await time.sleep(ms / 2);
      return answer;
    },
  } as unknown as Store<"later">;
  const limiter = new RateLimiter(
    { api: { kind: "token bucket", rate: 1000, period: "1s", capacity: 10 } },
    { store: far },
  );
  const lived = await live({
    server: () => OK,
    wanted: 3000,
    lasting: 10_000,
    seed,
    time,
    options: { limiter, limit: "api", key: "us", maxWaiting: 10_000 },
  });
  return { perSecond: lived.seen.filter(({ at }) => at >= 2000 && at < 9000).length / 7 };
}
